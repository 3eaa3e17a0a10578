"""large_source.py STENCILC: texts without end or sense are refused in little time, memory and words."""
import resource
import subprocess
import sys
import time

MIB = 1 << 20


def fields(count):
    names = [f"u{number}" for number in range(count)]
    updates = "".join(f"{name}' = {name};" for name in names)
    return f"stencil a(x) {{ field f64 {','.join(names)}; {updates} }}"


letters = "n" * (MIB // 2)
unknown = "".join(f"let a{n} = {'v' * (n % 9 + 1)}{n % 7}w;" for n in range(20000))
texts = {
    "has more than 1048576 bytes": "u" * (300 * MIB),
    "nothing but semicolons": ";" * MIB,
    f"a name of {len(letters)} letters": f"stencil a(x) {{ field f64 {letters}; }}",
    "10000 arrays: a stencil has at most 500": fields(10000),
    "`vv1w` is not declared": f"stencil a(x) {{ field f64 u; {unknown} u' = u; }}",
    "501 params: a stencil has at most 500":
        "stencil a(x) { field f64 u; param f64 " + ",".join(f"p{n}" for n in range(501)) + "; }",
    "is not a number": "stencil a(x) { field f64 u; u' = " + "1" * (MIB // 2) + "z; }",
    "a literal with more than": "stencil a(x) { field f64 u; u' = u*1e-2147483648; }",
}
expected = {"nothing but semicolons": "found `;` where `stencil` belongs"}
for message, text in texts.items():
    begin = time.monotonic()
    done = subprocess.run([sys.argv[1], "-fsyntax-only", "-"], input=text, capture_output=True,
                          text=True)
    took = time.monotonic() - begin
    print(f"{message}: {took:.2f} s, {len(done.stderr)} bytes")
    assert done.returncode == 1, done.returncode
    assert expected.get(message, message) in done.stderr, done.stderr[:1000]
    assert len(done.stderr) < 50_000, f"{len(done.stderr)} bytes are printed"
    assert took < 10, f"{took} s"
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
assert most < 1000, f"{most} MiB were taken"

# The most that is accepted is compiled.
done = subprocess.run([sys.argv[1], "-O0", "-"], input=fields(500), capture_output=True, text=True)
assert done.returncode == 0, done.stderr[:1000]
