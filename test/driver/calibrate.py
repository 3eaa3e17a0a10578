"""calibrate.py STENCILC DRIVER FOLDER: a whole calibration of the GPU that DRIVER stands in for."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

stencilc, driver, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
profile, raw = folder / "x1.yaml", folder / "x1.json"


def environment(**variables):
    return {**os.environ, "STENCILC_CUDA_DRIVER": driver, "STENCILC_NVRTC": driver, **variables}


def calibrate(*arguments, **variables):
    return subprocess.run([stencilc, "calibrate", *map(str, arguments)], cwd=folder, text=True,
                          capture_output=True, env=environment(**variables), timeout=200)


def value(text, key):
    return float(re.search(rf"^ *{key}: *{{ value: ([^,]+),", text, re.MULTILINE)[1])


# What AnalyticDevice.h was made of comes back.
done = calibrate("-o", profile, "--raw", raw)
assert done.returncode == 0, done.stderr
text = profile.read_text()
assert text.startswith("# X1 64GB, made by stencilc calibrate on "), text[:80]
PLANTED = {"clock-hertz": (1.7e9, 0.001), "sms": (100, 0), "dram-in-flight-bytes": (8000, 0.01),
           "march-loss": (0.02, 0.05), "l2-effective-bytes": (27e6, 0.01),
           "l2-softness": (0.5, 0.02), "request-clocks": (0.4, 0.02),
           "wavefront-clocks": (1.1, 0.01), "fp32-rate": (120, 0.01), "special-rate": (15.5, 0.01),
           "l1-latency": (35, 0.01), "l2-latency": (250, 0.01), "barrier-latency": (60, 0.05),
           "blocks-per-second": (1.5e9, 0.01), "host-interval-seconds": (3e-6, 0.01),
           "graph-interval-seconds": (0.6e-6, 0.01), "norm": (2.2, 0.02)}
for key, (planted, share) in PLANTED.items():
    assert abs(value(text, key) - planted) <= share * planted, (key, value(text, key), planted)
assert re.search(r'dependent-share: *{ value: 0.2, source: "uncalibrated: taken from H200: ', text)
assert subprocess.run([stencilc, f"--print-gpu={profile}"], capture_output=True).returncode == 0

# The times are all there, and make the same profile without any GPU.
kept = json.loads(raw.read_text())
assert all(len(sample["seconds"]) == 7 for samples in kept["benchmarks"].values()
           for sample in samples)
again = calibrate("--from", raw, STENCILC_CUDA_DRIVER="/nowhere")
assert again.returncode == 0 and again.stdout == text, again.stderr

# What is wrong is said, and leaves the old file alone.
for variables, said in [
        ({"STENCILC_CUDA_DRIVER": "/nowhere"}, "there is no driver of an NVIDIA GPU here"),
        ({"STENCILC_NVRTC": "/nowhere"}, "there is no NVRTC, which compiles kernels"),
        ({"FAKE_FAILS": "cuInit"}, "cuInit: no CUDA-capable device is detected"),
        ({"FAKE_FAILS": "cuMemAlloc"}, "cuMemAlloc: "),
        ({"FAKE_FAILS": "cuLaunchKernel"}, "cuLaunchKernel: invalid argument"),
        ({"FAKE_FAILS": "cuGraphLaunch"}, "cuGraphLaunch: invalid argument"),
        ({"FAKE_FAILS": "nvrtcCompileProgram"}, "nvrtcCompileProgram: ")]:
    failed = calibrate("-o", profile, **variables)
    assert failed.returncode == 1 and f"stencilc: error: {said}" in failed.stderr, failed.stderr
    assert profile.read_text() == text
for arguments, code, said in [
        (["--from", folder / "none.json"], 1, "cannot read"),
        (["--from", profile], 1, f"{profile}: "),
        (["--from", raw, "-o", raw], 2, "would overwrite the input"),
        (["-o", profile, "--raw", profile], 2, "two outputs would be written to"),
        (["heat.stn"], 2, "leave out heat.stn"),
        (["-o", profile, "--gpu=nosuch"], 1, "there is no device `nosuch`")]:
    failed = calibrate(*arguments)
    assert failed.returncode == code and said in failed.stderr, failed.stderr

# Ctrl-C leaves nothing behind.
for seconds in (0.05, 0.3, 0.6):
    process = subprocess.Popen([stencilc, "calibrate", "-o", "half.yaml", "--raw=half.json"],
                               cwd=folder, env=environment(FAKE_SLOW="20"),
                               stderr=subprocess.DEVNULL,
                               # Whoever runs tests in the background has it ignored.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) != 0
    assert sorted(path.name for path in folder.iterdir()) == ["x1.json", "x1.yaml"]
