// Colours of clusters: the eight of Okabe and Ito, which people with colour blindness tell apart. With
// more clusters they repeat; the number of the cluster stands beside them everywhere.

export function colour(cluster: number): string {
  return `var(--cluster-${cluster % 8})`;
}
