// The requested and the excluded facts of a query against those of every row.

#ifndef SYNOPTIC_ROWS_FACT_MATCHES_H_
#define SYNOPTIC_ROWS_FACT_MATCHES_H_

#include <vector>

#include "rows/fact_degrees.h"
#include "rows/fact_tables.h"
#include "rows/rank_plan.h"

namespace synoptic {

struct FactMatches {
  // The weighted mean of the degrees to which a row fulfils the requests.
  Degrees fulfilled;
  // The degree to which a row has what is excluded: that of its worst.
  Degrees broken;
  // Of each request.
  std::vector<Degrees> requests;
  // The share of the requests, by their weights and confidence, that some row has.
  double known = 1;
};

FactMatches MatchFacts(const FactTables& tables, const RankPlan& plan);

// ln(x) of a number above 0, in steps that every machine rounds alike; its error is some 1e-16.
double NaturalLog(double x);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_FACT_MATCHES_H_
