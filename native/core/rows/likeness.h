// How alike works are to those that a query names: by what people recommend, by traits (tags,
// genres and form), by their texts, by when they were made, and by how well known they are.

#ifndef SYNOPTIC_ROWS_LIKENESS_H_
#define SYNOPTIC_ROWS_LIKENESS_H_

#include <vector>

#include "rows/fact_tables.h"
#include "rows/rank_plan.h"

namespace synoptic {

// One a row: the cosine of its vector of traits with the row's; 0 where neither tags nor genres are
// known.
std::vector<float> TraitLikeness(const FactTables& tables, const Example& example);

// One a row: up to 1, and somewhat more for what is recommended, of the time and well known.
std::vector<float> LikenessTo(const FactTables& tables, const LikenessRules& rules,
                              const Example& example);

// One a row: how alike it is to all examples.
std::vector<float> LikenessToAll(const FactTables& tables, const LikenessRules& rules,
                                 const Likeness& alike);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_LIKENESS_H_
