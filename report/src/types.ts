// The data of the page, as the tool writes it. `Bytes` is base64 of a little-endian typed array.

export type Bytes = string;
/** JSON has no NaN: a number that is not known may be null. */
export type Maybe = number | null;

export interface Outcome {
  cut: Maybe;
  average_balance: Maybe;
}

export interface Baselines {
  plain: Outcome;
  random: Outcome & { cut_spread: Maybe; balance_spread: Maybe };
  exact: Outcome | null;
  fair_balance: Maybe;
  reachable_balance: Maybe;
}

export interface Certificate {
  lower_bound: Maybe;
  any_bound: Maybe;
  deviation: Maybe;
  gap: Maybe;
  strength: Maybe;
  price_of_fairness_at_least: Maybe;
  verified: boolean;
  reason: string;
}

export interface ClusterRow {
  size: number;
  internal_share: Maybe;
  conductance: Maybe;
  cut: Maybe;
  representatives: Maybe;
  expected_representatives: Maybe;
  poorly_represented: number;
}

export interface GroupCell {
  group: number;
  cluster: number;
  count: number;
  expected: number;
  low: number;
  high: number;
  beyond_chance: -1 | 0 | 1;
}

export interface PeopleData {
  total: number;
  count: number;
  node: Bytes;
  name: string[] | null;
  cluster: Bytes;
  group: Bytes | null;
  balance: Bytes;
  limit: Bytes;
  representatives: Bytes;
  found: Bytes;
  expected: Bytes;
  reason: Bytes;
  help: { kind: Bytes; node: Bytes; from: Bytes; to: Bytes; other: Bytes; balance: Bytes; price: Bytes };
  /** Those whom the help mentions and who are not listed, where names are shown. */
  others: { node: Bytes; name: string[] } | null;
}

export interface Point {
  name: string;
  what: string;
  verdict: string[];
  cut: Maybe;
  ratio_cut: Maybe;
  average_balance: Maybe;
  minimum_balance: Maybe;
  proportional_balance: Maybe;
  structure_kept: Maybe;
  fairness_gained: Maybe;
  modularity: Maybe;
  without: Maybe;
  below_threshold: Maybe;
  without_representatives: Maybe;
  cluster_table: ClusterRow[];
  group_table: GroupCell[] | null;
  balances: Bytes;
  balances_by_group: Bytes[];
  labels: Bytes | null;
  links: Bytes;
  people: PeopleData;
}

export interface NodeGraph {
  kind: 'nodes';
  count: number;
  edges: Bytes;
  x: Bytes;
  y: Bytes;
}

export interface Provenance {
  version: string;
  command: string;
  made: string;
  method: string;
  why: string[];
  seed: Maybe;
  options: { [name: string]: unknown };
  files: { role: string; name: string; sha256: string; bytes: Maybe }[];
  sizes: { [name: string]: Maybe };
  changes: string[];
  warnings: { code: string; message: string }[];
  seconds: { [name: string]: Maybe };
}

export interface ReportData {
  schema: string;
  title: string;
  nodes: number;
  clusters: number;
  threshold: { value: number; chosen_by: string };
  groups: string[];
  /** As in the file of labels; none if the tool found the clusters. */
  cluster_names: string[];
  /** Who represents a person: everybody of the same group, or those linked with them in a graph. */
  representatives: 'group' | 'graph';
  names_shown: boolean;
  baselines: Baselines | null;
  certificate: Certificate | null;
  random_balances: Bytes | null;
  start: number;
  points: Point[];
  graph: NodeGraph | { kind: 'clusters' } | null;
  provenance: Provenance;
}
