// How well each row fulfils a fact of a query: 0 not at all, 1 wholly. Plain loops, which are the
// specification: degrees are float32, a step is computed in float64 and rounded once.

#ifndef SYNOPTIC_ROWS_FACT_DEGREES_H_
#define SYNOPTIC_ROWS_FACT_DEGREES_H_

#include <vector>

#include "rows/fact_tables.h"
#include "rows/rank_plan.h"

namespace synoptic {

// One a row.
using Degrees = std::vector<float>;

Degrees DegreesOf(const FactTables& tables, const Fact& fact);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_FACT_DEGREES_H_
