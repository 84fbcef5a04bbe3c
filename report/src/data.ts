// Reads the data in the page: base64 arrays become typed arrays when they are first needed.
import type { Bytes, Point, ReportData } from './types';
import { visible } from './words';

function bytes(text: Bytes): ArrayBuffer {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

// Every browser of today is little-endian, as the data are.
export const f32 = (text: Bytes): Float32Array => new Float32Array(bytes(text));
export const u32 = (text: Bytes): Uint32Array => new Uint32Array(bytes(text));
export const u16 = (text: Bytes): Uint16Array => new Uint16Array(bytes(text));
export const u8 = (text: Bytes): Uint8Array => new Uint8Array(bytes(text));

export interface Help {
  kind: number;
  node: number;
  from: number;
  to: number;
  other: number;
  balance: number;
  price: number;
}

export interface Person {
  /** Place among the worst represented, from 0. */
  rank: number;
  node: number;
  cluster: number;
  group: number | null;
  balance: number;
  limit: number;
  representatives: number;
  found: Uint32Array;
  expected: Float32Array;
  reason: number;
  help: Help;
}

function decodePeople(data: ReportData, point: Point): Person[] {
  const people = point.people;
  const K = data.clusters;
  const node = u32(people.node);
  const label = u16(people.cluster);
  const group = people.group === null ? null : u16(people.group);
  const balance = f32(people.balance);
  const limit = f32(people.limit);
  const representatives = u32(people.representatives);
  const found = u32(people.found);
  const expected = f32(people.expected);
  const reason = u8(people.reason);
  const kind = u8(people.help.kind);
  const mover = u32(people.help.node);
  const from = u16(people.help.from);
  const to = u16(people.help.to);
  const other = u32(people.help.other);
  const after = f32(people.help.balance);
  const price = f32(people.help.price);
  return Array.from({ length: people.count }, (_, i) => ({
    rank: i,
    node: node[i],
    cluster: label[i],
    group: group === null ? null : group[i],
    balance: balance[i],
    limit: limit[i],
    representatives: representatives[i],
    found: found.subarray(i * K, (i + 1) * K),
    expected: expected.subarray(i * K, (i + 1) * K),
    reason: reason[i],
    help: {
      kind: kind[i],
      node: mover[i],
      from: from[i],
      to: to[i],
      other: other[i],
      balance: after[i],
      price: price[i],
    },
  }));
}

/** The data of the page and what the sections ask of them. */
export class Report {
  private readonly decoded = new Map<number, Person[]>();
  private names: Map<number, string> | null = null;

  constructor(
    readonly data: ReportData,
    /** The JSON twin. */
    readonly text: string,
  ) {}

  point(index: number): Point {
    return this.data.points[index];
  }

  /** The listed people of a point, the worst represented first. */
  people(index: number): Person[] {
    let people = this.decoded.get(index);
    if (people === undefined) {
      people = decodePeople(this.data, this.point(index));
      this.decoded.set(index, people);
    }
    return people;
  }

  /** "Person 17", or the name in the file where names are shown. */
  name(node: number): string {
    return visible(this.rawName(node));
  }

  /** The same as in the file. */
  rawName(node: number): string {
    if (this.names === null) this.names = this.readNames();
    return this.names.get(node) ?? `Person ${node + 1}`;
  }

  group(number: number | null): string {
    if (number === null) return '';
    return visible(this.data.groups[number] ?? `Group ${number + 1}`);
  }

  private readNames(): Map<number, string> {
    const names = new Map<number, string>();
    if (!this.data.names_shown) return names;
    const add = (nodes: Bytes, found: string[]): void => {
      const node = u32(nodes);
      found.forEach((name, i) => names.set(node[i], name));
    };
    for (const { people } of this.data.points) {
      if (people.name !== null) add(people.node, people.name);
      if (people.others !== null) add(people.others.node, people.others.name);
    }
    return names;
  }
}

/** The data that the tool wrote into the page. */
export function read(): Report {
  const text = document.getElementById('data')?.textContent ?? '';
  const data = JSON.parse(text) as ReportData;
  if (data.schema !== 'repsc-report-1') throw new Error(`unknown schema ${visible(String(data.schema))}`);
  return new Report(data, text.trim());
}
