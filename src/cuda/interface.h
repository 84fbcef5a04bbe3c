/* What librepsc_cuda.so offers: a table of functions on blocks of vectors and on a graph in the
 * memory of a device. Plain C, so that a library and a tool of different builds fit together; the
 * version says whether they do. The iteration and all small matrices stay in the tool.
 *
 * Functions return 0, or another number after which message() says what went wrong. Pointers are
 * into the memory of the device, except those to arrays named `host`. Nothing here is safe to call
 * from two threads with the same context. */
#ifndef REPSC_CUDA_INTERFACE_H
#define REPSC_CUDA_INTERFACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REPSC_CUDA_VERSION 6

/* NOLINTBEGIN(modernize-use-using): C */

typedef struct repsc_cuda_context repsc_cuda_context;

/* Row i, column j is data[i * stride + j]; floats (scalar_bytes = 4) or doubles (8). */
typedef struct {
  void* data;
  int64_t rows;
  int64_t columns;
  int64_t stride;
  int32_t scalar_bytes;
} repsc_cuda_block;

/* Rows of a graph that are used at the same time. */
typedef struct {
  int64_t first_row;
  int64_t end_row;
  int64_t first_entry;
  int64_t end_entry;
  int64_t first_long_row; /* in long_rows of the graph */
  int64_t end_long_row;
  const int32_t* host_neighbors; /* of these rows; null: neighbors of the graph, from first_entry */
  const double* host_weights;
} repsc_cuda_panel;

/* A symmetric CSR matrix, on the device. Where it does not fit, as many rows as fit are there, and
 * the others are copied, panel by panel, each time that they are needed. */
typedef struct {
  int64_t rows;
  int64_t entries;
  const int64_t* offsets; /* of all rows */
  const int32_t* neighbors;
  const double* weights;    /* null: all 1 */
  const int32_t* long_rows; /* rows of more than REPSC_CUDA_LONG_ROW entries, ascending */
  int64_t num_long_rows;
  const repsc_cuda_panel* host_panels; /* null: all rows are on the device */
  int64_t num_panels;
} repsc_cuda_graph;

#define REPSC_CUDA_LONG_ROW 2048

/* scale != null: Y = X - S (A + tau/N 11') S X, S = diag(scale). Else Y = D X - A X, D =
 * diag(degrees). */
typedef struct {
  repsc_cuda_graph graph;
  const double* scale;
  const double* degrees;
  double tau;
} repsc_cuda_laplacian;

/* groups[i] in [0, count): of a row, null: all rows are in group 0; scale: null for ones. */
typedef struct {
  const int32_t* groups;
  int64_t count;
  const double* scale;
} repsc_cuda_groups;

/* The most groups, or clusters, whose sums are computed. */
#define REPSC_CUDA_MOST_GROUPS 512

/* The most columns of the blocks that multiply() takes. */
#define REPSC_CUDA_MOST_COLUMNS 4096

/* The most clusters over which balances() spreads representatives. */
#define REPSC_CUDA_MOST_BALANCED 64

/* How balances() uses the weights of a graph that has some. */
typedef struct {
  int32_t by_weight; /* 1: representatives count by their weights; 0: each counts 1 */
  double unit;       /* squared norms are those of the weights times it */
} repsc_cuda_weighing;

/* Sums and minima over all nodes; the sums of balances add ranges of 4096 nodes, those of squared
 * norms ranges of 1024 nodes, then the ranges in order. */
typedef struct {
  double rho_sum;
  double rho_minimum;
  double proportional_sum;
  double proportional_minimum;
  double squared_RJH; /* N^2 ||R J H||^2 */
  double squared_R;   /* ||R||^2 */
} repsc_cuda_balances;

/* How rows are drawn at random, in chunks of `chunk_rows` rows: on average row i is drawn per_row +
 * per_squared times its squared distance from the mean times, rounded up or down at random; the
 * random number depends on the key and on i alone. */
typedef struct {
  const double* host_mean;
  int64_t chunk_rows;
  double per_row;
  double per_squared;
  uint64_t key;
} repsc_cuda_draws;

/* The most candidates for one center of k-means++. */
#define REPSC_CUDA_MOST_CANDIDATES 8

enum {
  REPSC_CUDA_RUN_GOES_ON = 0,
  REPSC_CUDA_RUN_HAS_ENDED = 1,
  REPSC_CUDA_RUN_HAS_EMPTY_CLUSTER = 2 /* it has ended, and its centers mean nothing */
};

/* Where a run of k-means is; all 0 at the start. */
typedef struct {
  double inertia; /* about the centers of now, as far as it is followed; measure_runs() is exact */
  int32_t iterations;
  int32_t state;
} repsc_cuda_run;

/* Runs of k-means on the rows of a weighted sample, all at once. Arrays are ordered as they are
 * indexed here: [run, cluster] has all clusters of run 0 first. */
typedef struct {
  repsc_cuda_block X; /* doubles */
  const double* weights;        /* [row], above 0 */
  const int32_t* names;         /* [row]: what its random numbers depend on */
  const int32_t* range_begins;  /* [range]: its first row; then the number of rows */
  const int32_t* range_numbers; /* [range]: what its random numbers depend on */
  int64_t num_ranges;           /* a row is drawn by drawing a range first */
  int64_t runs;
  int64_t clusters;     /* at most REPSC_CUDA_MOST_GROUPS */
  int64_t candidates;   /* for each cluster but the first, at most REPSC_CUDA_MOST_CANDIDATES */
  const uint64_t* keys; /* [run, key]: of the first row; then of a range and of a row for each
                           candidate of each further cluster */
  double* squared;      /* [run, row]: distances, used by choose_starts() alone */
  double* range_sums;   /* [run, range]: the same */
  int32_t* chosen;      /* [run, cluster]: rows */
  double* centers;      /* [run, cluster, column] */
  int32_t* labels;      /* [run, row] */
  repsc_cuda_run* states;
} repsc_cuda_runs;

typedef struct {
  char name[256];
  int64_t memory_bytes;
  int64_t free_bytes; /* with what this process keeps to allocate it again */
} repsc_cuda_facts;

typedef struct {
  int32_t version; /* REPSC_CUDA_VERSION */

  /* The number of devices; below 0: `host_message` says why there is none. */
  int32_t (*count_devices)(char* host_message, int64_t room);
  /* Null: `host_message` says why. */
  repsc_cuda_context* (*open)(int32_t device, char* host_message, int64_t room);
  void (*close)(repsc_cuda_context*);
  const char* (*message)(const repsc_cuda_context*);
  int32_t (*facts)(repsc_cuda_context*, repsc_cuda_facts* host);

  /* Null: message() says how much was asked for and how much is free. */
  void* (*allocate)(repsc_cuda_context*, int64_t bytes);
  void (*release)(repsc_cuda_context*, void* data);
  int32_t (*upload)(repsc_cuda_context*, void* to, const void* host_from, int64_t bytes);
  int32_t (*download)(repsc_cuda_context*, void* host_to, const void* from, int64_t bytes);
  int32_t (*clear)(repsc_cuda_context*, void* data, int64_t bytes);

  /* Between blocks of any precision. */
  int32_t (*copy)(repsc_cuda_context*, repsc_cuda_block from, repsc_cuda_block to);
  /* Normal entries: streams `seed` of 1024 rows each, as the tool draws them. */
  int32_t (*fill_random)(repsc_cuda_context*, repsc_cuda_block X, uint64_t seed, double scale);
  int32_t (*divide)(repsc_cuda_context*, repsc_cuda_block X, double by);
  /* X = diag(scale)^exponent X, exponent 1 or -1. */
  int32_t (*scale_rows)(repsc_cuda_context*, repsc_cuda_block X, const double* scale,
                        int32_t exponent);
  /* X_ij += host_values[j]. */
  int32_t (*add_to_rows)(repsc_cuda_context*, repsc_cuda_block X, const double* host_values);
  /* Rows of length 1; rows of zeros stay. */
  int32_t (*unit_rows)(repsc_cuda_context*, repsc_cuda_block X);
  /* host_result[j] = max |X_ij|; infinity if one is not a finite number. */
  int32_t (*largest)(repsc_cuda_context*, repsc_cuda_block X, double* host_result);
  /* host_result = A'B, row by row. Summed in double; the same bytes each time. */
  int32_t (*gram)(repsc_cuda_context*, repsc_cuda_block A, repsc_cuda_block B, double* host_result);
  /* A -= B T; A = B T, where A is not B. T is B.columns x A.columns, row by row. */
  int32_t (*subtract)(repsc_cuda_context*, repsc_cuda_block A, repsc_cuda_block B,
                      const double* host_T);
  int32_t (*assign)(repsc_cuda_context*, repsc_cuda_block A, repsc_cuda_block B,
                    const double* host_T);
  /* The first `columns` columns of V become V T. */
  int32_t (*multiply)(repsc_cuda_context*, repsc_cuda_block V, const double* host_T,
                      int64_t columns);
  /* host_result: the rows that are named, as doubles. */
  int32_t (*rows)(repsc_cuda_context*, repsc_cuda_block X, const int32_t* host_rows, int64_t count,
                  double* host_result);
  /* host_result: the same rows times T, X.columns x columns, row by row. */
  int32_t (*rows_times)(repsc_cuda_context*, repsc_cuda_block X, const int32_t* host_rows,
                        int64_t count, const double* host_T, int64_t columns, double* host_result);

  /* Y = L X for blocks of one precision. */
  int32_t (*apply)(repsc_cuda_context*, repsc_cuda_laplacian L, repsc_cuda_block X,
                   repsc_cuda_block Y);
  /* The same for floats and an unweighted graph without rows of more than 65536 entries: the factor
   * that the graph multiplies is rounded to 16 bits. host_step: the largest step of the rounding.
   */
  int32_t (*apply_coarsely)(repsc_cuda_context*, repsc_cuda_laplacian L, repsc_cuda_block X,
                            repsc_cuda_block Y, double* host_step);

  /* host_count: the connected components of a graph that is on the device as a whole. */
  int32_t (*components)(repsc_cuda_context*, repsc_cuda_graph graph, int64_t* host_count);

  /* host_sums[g * X.columns + j] = the sum of scale_i X_ij over the rows of group g. */
  int32_t (*group_sums)(repsc_cuda_context*, repsc_cuda_groups groups, repsc_cuda_block X,
                        double* host_sums);
  /* X_ij -= scale_i host_b[g * X.columns + j], g the group of row i. */
  int32_t (*subtract_groups)(repsc_cuda_context*, repsc_cuda_groups groups, repsc_cuda_block X,
                             const double* host_b);

  /* labels[i] = the nearest row of host_centers, the lower of equals; host_changed: how many labels
   * that changes; host_inertia: the sum of the squared distances. X has doubles. */
  int32_t (*assign_labels)(repsc_cuda_context*, repsc_cuda_block X, const double* host_centers,
                           int64_t count, int32_t* labels, int64_t* host_changed,
                           double* host_inertia);
  /* host_sizes[g] = how many labels are g. */
  int32_t (*count_labels)(repsc_cuda_context*, const int32_t* labels, int64_t rows, int64_t count,
                          int64_t* host_sizes);

  /* Dense matrices of doubles, row by row without gaps. These need cuBLAS and cuSOLVER, which are
   * loaded when one of them is first called. */

  /* S = the adjacency matrix, rows x rows, of a graph that is on the device as a whole. */
  int32_t (*fill_dense)(repsc_cuda_context*, repsc_cuda_graph graph, double* S);
  /* The rows of S, n x n and symmetric, become its eigenvectors; host_values: ascending. */
  int32_t (*eigen)(repsc_cuda_context*, double* S, int64_t n, double* host_values);
  /* Column k of `to` = row host_which[k] of S. */
  int32_t (*pick_vectors)(repsc_cuda_context*, const double* S, const int32_t* host_which,
                          repsc_cuda_block to);
  /* The lower triangle of G = A'A. */
  int32_t (*dense_gram)(repsc_cuda_context*, repsc_cuda_block A, double* G);
  /* G += factor uu'. */
  int32_t (*add_outer_product)(repsc_cuda_context*, double* G, int64_t n, const double* host_u,
                               double factor);
  /* The lower triangle of G becomes L, LL' = G; host_definite: 0 if there is none. */
  int32_t (*cholesky)(repsc_cuda_context*, double* G, int64_t n, int32_t* host_definite);
  /* A = A L^-T, L in a lower triangle. */
  int32_t (*divide_by_factor)(repsc_cuda_context*, repsc_cuda_block A, const double* L);
  /* X -= Q Q'X. */
  int32_t (*remove)(repsc_cuda_context*, repsc_cuda_block Q, repsc_cuda_block X);

  /* Z = a Z + b W + c V, blocks of one precision. */
  int32_t (*combine_blocks)(repsc_cuda_context*, repsc_cuda_block Z, repsc_cuda_block W,
                            repsc_cuda_block V, double a, double b, double c);
  /* Row i of `to` = factors[i] times row which[i] of `from`, blocks of one precision. */
  int32_t (*spread_rows)(repsc_cuda_context*, repsc_cuda_block from, const int32_t* which,
                         const double* factors, repsc_cuda_block to);

  /* For chunks of `chunk_rows` rows each: host_sums[c] = the sum of the squared distances of the
   * rows of chunk c from host_mean. X has doubles. */
  int32_t (*squared_distances)(repsc_cuda_context*, repsc_cuda_block X, const double* host_mean,
                               int64_t chunk_rows, double* host_sums);
  /* host_counts[c] = the rows of chunk c that are drawn; draw_rows() needs them. At most 16,384
   * rows make a chunk. */
  int32_t (*count_draws)(repsc_cuda_context*, repsc_cuda_block X, repsc_cuda_draws how,
                         int64_t* host_counts);
  /* The rows that are drawn, ascending; each weighs the number of its draws over the expected one.
   */
  int32_t (*draw_rows)(repsc_cuda_context*, repsc_cuda_block X, repsc_cuda_draws how,
                       const int64_t* host_counts, int32_t* host_rows, double* host_weights);

  /* Metrics of labels in [0, count). */

  /* For each cluster, the sum of the entries of its rows: of those that lead to other clusters, and
   * of all. host_leaving[k] is never above host_volumes[k], and equal to it if no entry lies inside
   * of the cluster. */
  int32_t (*edge_weights)(repsc_cuda_context*, repsc_cuda_graph graph, const int32_t* labels,
                          int64_t count, double* host_leaving, double* host_volumes);
  /* Of a graph of representatives; host_sizes: of the clusters, of which there are at most
   * REPSC_CUDA_MOST_BALANCED. */
  int32_t (*balances)(repsc_cuda_context*, repsc_cuda_graph graph, const int32_t* labels,
                      const int32_t* host_sizes, int64_t count, repsc_cuda_weighing how,
                      repsc_cuda_balances* host_result);

  /* Runs of k-means. */

  /* The rows that greedy k-means++ chooses for the clusters [first, end) of every run, after those
   * before; host_chosen: of all clusters; -1 where no row is at a positive distance. */
  int32_t (*choose_starts)(repsc_cuda_context*, repsc_cuda_runs runs, int64_t first, int64_t end,
                           int32_t* host_chosen);
  /* Up to `count` iterations of Lloyd's from `centers`, of every run that has not ended. A run ends
   * when no label changes, when the inertia falls by at most the fraction `tolerance`, after
   * `most` iterations, or with an empty cluster. host_states: of all runs. */
  int32_t (*iterate_runs)(repsc_cuda_context*, repsc_cuda_runs runs, int64_t count, int64_t most,
                          double tolerance, repsc_cuda_run* host_states);
  /* host_inertia[r] = the weighted sum of the squared distances to the own center in run r. */
  int32_t (*measure_runs)(repsc_cuda_context*, repsc_cuda_runs runs, double* host_inertia);
} repsc_cuda_functions;

/* NOLINTEND(modernize-use-using) */

/* The only symbol of the library. */
const repsc_cuda_functions* repsc_cuda(void);

#ifdef __cplusplus
}
#endif

#endif
