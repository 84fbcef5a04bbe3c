// The methods, one file each. cluster.cpp chooses among them; experiments call them by name.
#pragma once

#include "repsc/cluster.hpp"

namespace repsc {

Clustering usc(const Graph& A, int K, const ClusterOptions& options);
Clustering nsc(const Graph& A, int K, const ClusterOptions& options);
Clustering urepsc(const Graph& A, const Graph& R, int K, const ClusterOptions& options);
Clustering nrepsc(const Graph& A, const Graph& R, int K, const ClusterOptions& options);
Clustering ufairsc(const Graph& A, const Labels& groups, int K, const ClusterOptions& options);
Clustering nfairsc(const Graph& A, const Labels& groups, int K, const ClusterOptions& options);

/// urepsc and nrepsc with a soft constraint; L is plain.
Clustering soft_repsc(const Laplacian& L, const Graph& R, int K, const ClusterOptions& options);

}  // namespace repsc
