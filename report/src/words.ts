// Numbers and names as words of the page.
import { h, type Child } from './dom';
import type { Maybe } from './types';

const dash = '–';
const space = '\u00a0';

export function known(value: Maybe | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** 1,200 */
export function count(value: Maybe | undefined): string {
  return known(value) ? Math.round(value).toLocaleString('en-US') : dash;
}

/** So many decimals, never "-0.00". */
export function fixed(value: Maybe | undefined, decimals = 2): string {
  if (!known(value)) return dash;
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Three digits that count: 0.0123, 1.23, 1,230. */
export function measure(value: Maybe | undefined): string {
  if (!known(value)) return dash;
  const digits = Number.isInteger(value) ? {} : { minimumSignificantDigits: 3 };
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3, ...digits });
}

/** 12 %, and 0.8 % or 99.7 % where whole percents would hide the number. */
export function percent(share: Maybe | undefined): string {
  if (!known(share)) return dash;
  const value = 100 * share;
  const size = Math.abs(value);
  if (value >= 99.5 && value < 100) return `${value < 99.95 ? fixed(value, 1) : 'over 99.9'}${space}%`;
  if (value === 0) return `0${space}%`;
  return `${fixed(value, size !== 0 && size < 9.95 ? (size < 0.095 ? 2 : 1) : 0)}${space}%`;
}

export function plural(value: number, one: string, many: string): string {
  return `${count(value)}${space}${value === 1 ? one : many}`;
}

export function cluster(number: number): string {
  return `Cluster ${number + 1}`;
}

// Controls, marks that change the direction, halves of surrogate pairs, and letters without a shape.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Text of a file with everything made visible that would not be, as U+202E in brackets. */
export function visible(text: string): string {
  const shown = text.replace(
    invisible,
    (mark) => `[U+${(mark.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
  return shown === '' ? '(empty)' : shown;
}

/** At most so many characters. */
export function short(text: string, most = 48): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** Text of a file within a sentence: its direction does not leak into the words around it. */
export function quoted(text: string, most = 48): HTMLElement {
  return h('bdi', {}, short(visible(text), most));
}

/** Parts of a sentence as one text. */
export function plain(parts: Child[]): string {
  return h('span', {}, ...parts).textContent as string;
}

/** "a", "a and b", "a, b and c" */
export function list(parts: string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}
