// ReportFigures: the pictures of a report's page, as SVG to stand inside HTML. Their colours are
// CSS classes of the page (costmodel/report/ReportHtml.cpp), so that they follow its light and
// dark.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// Both axes logarithmic: points a second against points a byte. A level's bandwidth is a slope,
/// the stencil's traffic at that level a dot; what is predicted stands below the lowest dot.
void drawRoofline(llvm::raw_ostream &out, const Report &report);

/// A bar for each of the best candidates, as long as its time.
void drawCandidates(llvm::raw_ostream &out, const Report &report);

/// With `<`, `&` and quotes as HTML wants them.
std::string escaped(llvm::StringRef text);

} // namespace stencilc
