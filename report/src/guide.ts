// How to read this page.
import { h } from './dom';

const terms: [string, string][] = [
  ['Similarity graph', 'Says who is alike. Clusters should keep its links inside.'],
  ['Representatives', 'The people who are linked with a person in the representation graph, who can speak for them.'],
  [
    'Balance',
    'For each person: the number of representatives in the cluster with fewest of them, divided by the number in the cluster with most. 1: as many in every cluster; 0: none in some cluster.',
  ],
  ['Normalized cut', 'The weight of the links between clusters, each cluster relative to the weight of all its links. Less is better.'],
  ['Plain clustering', 'Clusters from the similarity graph alone, without attention to representation.'],
  ['Lots', 'Clusters dealt at random. They favour nobody and keep no structure: a scale for the other numbers.'],
  ['Structure kept', 'Where the cut lies between that of lots (0 %) and that of plain clustering (100 %).'],
  ['Fairness gained', 'Where the average balance lies between that of plain clustering (0 %) and that of lots, or of the exact constraint if that is higher (100 %).'],
  ['Certificate', 'A bound that was computed: no clustering, made by whatever method, has a smaller cut and deviates as little from the representation constraint.'],
  ['Chance', 'An interval that holds the count in 95 of 100 random assignments of people to clusters of the same sizes. A count inside of it is no evidence of anything.'],
];

export function guide(): HTMLElement {
  return h(
    'details',
    { class: 'guide' },
    h('summary', {}, 'How to read this page'),
    h(
      'p',
      {},
      'People were put into clusters. This page says how evenly the representatives of each person are spread over the clusters, what that cost, and what was possible. It calls nothing fair or unfair: it gives the numbers, and the decision is yours.',
    ),
    h('dl', {}, ...terms.flatMap(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])),
  );
}
