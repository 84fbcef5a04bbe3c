// Why a person is represented as they are, and what would help: the sentences.
import type { Person, Report } from './data';
import type { Child } from './dom';
import { cluster, fixed, known, measure, percent, plain, plural, quoted } from './words';

const reasons = [
  'none',
  'no representatives',
  'fewer representatives than clusters',
  'all representatives in one cluster',
  'some cluster has none',
  'uneven',
];

export function reason(person: Person): string {
  return reasons[person.reason] ?? 'unknown';
}

/** The reason as a sentence with its numbers, for the card. */
export function reasonSentence(person: Person, clusters: number): string {
  const all = plural(person.representatives, 'representative', 'representatives');
  switch (person.reason) {
    case 1:
      return 'This person has no representatives, so that no clustering can represent them: the representation graph does not link them to anybody.';
    case 2:
      return `This person has ${all} for ${clusters} clusters. No clustering can place one in every cluster.`;
    case 3:
      return person.representatives === 1 ? 'The only representative is in one cluster.' : `All ${all} are in the same cluster.`;
    case 4:
      return `This person has ${all}, but some cluster has none of them.`;
    case 5:
      return `This person has ${all}, in every cluster at least one, but spread unevenly.`;
    default:
      return `This person has ${all}; nothing stands out.`;
  }
}

function price(change: number, cut: number | null): string {
  if (!known(change)) return 'the change of the cut is not known';
  const amount =
    known(cut) && cut > 0 ? percent(Math.abs(change) / cut) : `${measure(Math.abs(change))} (normalized cut)`;
  if (Math.abs(change) <= 1e-9 * Math.max(1, cut ?? 0)) return 'the cut would stay the same';
  return change > 0 ? `the cut would rise by ${amount}` : `the cut would fall by ${amount}`;
}

/** Whether the number of representatives allows no more. */
function atLimit(person: Person): boolean {
  return person.balance >= person.limit - 1e-6;
}

/** "Moving Person 12 from Cluster 1 to Cluster 3 would raise the balance from 0.20 to 0.50; ..." */
export function helpSentence(report: Report, person: Person, cut: number | null): Child[] {
  const { kind, node, from, to, other, balance } = person.help;
  if (kind !== 1 && kind !== 2) {
    return [
      atLimit(person)
        ? 'Nothing: the balance is as high as the number of representatives allows.'
        : 'No single move or swap would raise the balance.',
    ];
  }
  const effect = ` would raise the balance from ${fixed(person.balance)} to ${fixed(balance)}; ${price(person.help.price, cut)}.`;
  const name = quoted(report.name(node));
  return kind === 1
    ? ['Moving ', name, ` from ${cluster(from)} to ${cluster(to)}${effect}`]
    : ['Swapping ', name, ` (${cluster(from)}) and `, quoted(report.name(other)), ` (${cluster(to)})${effect}`];
}

/** The same in few words, for the table. */
export function helpInShort(report: Report, person: Person, cut: number | null): Child[] {
  const { kind, node, to, other, balance } = person.help;
  if (kind !== 1 && kind !== 2) return [atLimit(person) ? 'nothing, as even as possible' : 'no single move or swap'];
  const name = quoted(report.name(node), 24);
  const { price: change } = person.help;
  const dearer = known(cut) && cut > 0 && known(change) ? `, cut ${change < 0 ? '−' : '+'}${percent(Math.abs(change) / cut)}` : '';
  const after = `: balance ${fixed(balance)}${dearer}`;
  return kind === 1
    ? ['move ', name, ` to ${cluster(to)}${after}`]
    : ['swap ', name, ' and ', quoted(report.name(other), 24), after];
}

export function helpText(report: Report, person: Person, cut: number | null): string {
  return plain(helpSentence(report, person, cut));
}
