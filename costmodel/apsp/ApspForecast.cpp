#include "costmodel/apsp/ApspForecast.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

double ApspForecast::uncorrected(int64_t nodes, LaunchMode mode) const {
  return std::visit([&](const auto &form) { return form.seconds(device, kernel, nodes, mode); },
                    form);
}

double ApspForecast::correction(int64_t nodes) const {
  const double at = std::log(nodes);
  const auto next = partition_point(corrections, [&](const auto &c) { return c.first < at; });
  if (next == corrections.begin())
    return next->second;
  const auto &[x0, y0] = *(next - 1);
  if (next == corrections.end())
    return y0;
  const auto &[x1, y1] = *next;
  return y0 + (y1 - y0) * (at - x0) / (x1 - x0);
}

double ApspForecast::seconds(int64_t nodes, LaunchMode mode) const {
  return nodes < 2 ? 0 : uncorrected(nodes, mode) * std::exp(correction(nodes));
}

Expected<ApspForecast> ApspForecast::fit(const DeviceProfile &profile, const ApspKernel &kernel,
                                         ArrayRef<ApspRun> runs) {
  Expected<ApspDevice> device = ApspDevice::of(profile);
  if (!device)
    return unfit(kernel, toString(device.takeError()));
  std::vector<ApspRun> own;
  copy_if(runs, std::back_inserter(own), [&](const ApspRun &run) { return run.kernel == kernel; });
  if (own.empty())
    return unfit(kernel, "it was never measured on this device");
  stable_sort(own, [](const ApspRun &a, const ApspRun &b) { return a.nodes < b.nodes; });

  device->rowUnit = own.front().rowUnit;
  ApspForecast forecast(kernel, *device);
  const auto keep = [&](auto form) -> Expected<ApspForecast> {
    if (!form)
      return form.takeError();
    forecast.form = std::move(*form);
    for (const ApspRun &run : own)
      forecast.corrections.emplace_back(
          std::log(run.nodes), std::log(run.seconds / forecast.uncorrected(run.nodes, run.mode)));
    return forecast;
  };
  if (kernel.algorithm == ApspAlgorithm::Blocked)
    return keep(BlockedForm::fit(*device, kernel, own));
  const int64_t resident = device->sms * residentBlocks(profile, kernel.blockWidth);
  return kernel.algorithm == ApspAlgorithm::MinPlus
             ? keep(MinPlusForm::fit(*device, kernel, resident, own))
             : keep(FloydWarshallForm::fit(*device, kernel, resident, own));
}

ApspForecasts fitAll(const DeviceProfile &device, ArrayRef<ApspRun> runs) {
  std::vector<ApspKernel> kernels;
  for (const ApspRun &run : runs)
    if (!is_contained(kernels, run.kernel))
      kernels.push_back(run.kernel);
  ApspForecasts forecasts;
  for (const ApspKernel &kernel : kernels) {
    if (Expected<ApspForecast> forecast = ApspForecast::fit(device, kernel, runs))
      forecasts.fitted.push_back(std::move(*forecast));
    else
      forecasts.refusals.push_back(toString(forecast.takeError()));
  }
  return forecasts;
}

bool serves(const ApspKernel &kernel, StringRef weight, bool paths) {
  const bool anyPromise =
      kernel.algorithm != ApspAlgorithm::Blocked && weight.starts_with(kernel.weight);
  return kernel.paths == paths && (kernel.weight == weight || anyPromise);
}

const ApspForecast *fastest(ArrayRef<ApspForecast> forecasts, StringRef weight, bool paths,
                            int64_t nodes, LaunchMode mode) {
  const ApspForecast *best = nullptr;
  for (const ApspForecast &forecast : forecasts)
    if (serves(forecast.kernel, weight, paths) &&
        (!best || forecast.seconds(nodes, mode) < best->seconds(nodes, mode)))
      best = &forecast;
  return best;
}

} // namespace stencilc
