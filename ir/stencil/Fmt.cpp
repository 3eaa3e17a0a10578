// fmt, compiled once. Included whole, its headers cost every file that formats seconds; and Debian
// has the library only shared, while stencilc is to need nothing but glibc.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char *, const char *);

} // namespace detail
FMT_END_NAMESPACE
