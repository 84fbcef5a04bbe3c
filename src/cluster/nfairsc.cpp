// NFairSC: Algorithm 3 of Kleindessner et al., ICML 2019: UFairSC for the normalized cut.
//
//   A  similarity graph, N nodes     F  N x P, membership of the groups
//   L, D  Laplacian and degrees      T  embedding, N x K, with T'DT = I and F'(I - 11'/N) T = 0
//
// As in NRepSC no square root is formed: X = D^1/2 T is sought under F'J D^-1/2 X = 0. The
// Laplacian is the symmetric one, and the plan's constraint is scaled by D^-1/2: the steps are
// UFairSC's.
#include "cluster/methods.hpp"

namespace repsc {

Clustering nfairsc(Pipeline& data, const Plan& plan) { return ufairsc(data, plan); }

}  // namespace repsc
