/** Deterministic inputs for the benchmark: no file of anyone's, no random. */
import { deflateRawSync, deflateSync } from 'node:zlib';

/** Numbers between 0 and 255 that do not compress. */
export function noise(size, seed = 123456789) {
  const bytes = new Uint8Array(size);
  let x = seed;
  for (let i = 0; i < size; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    bytes[i] = x & 255;
  }
  return bytes;
}

const CRC = new Int32Array(256).map((_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});
export const crc = (bytes) => {
  let c = -1;
  for (const byte of bytes) c = (c >>> 8) ^ CRC[(c ^ byte) & 255];
  return ~c >>> 0;
};

function chunk(type, data) {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(new TextEncoder().encode(type), 4);
  out.set(data, 8);
  view.setUint32(data.length + 8, crc(out.subarray(4, data.length + 8)));
  return out;
}

/** A PNG of about `size` bytes, with the card in `ccv3` where there is one. */
export function png(size, card) {
  const side = Math.max(8, Math.round(Math.sqrt(size / 3)));
  const rows = noise((side * 3 + 1) * side);
  for (let y = 0; y < side; y++) rows[y * (side * 3 + 1)] = 0;
  const head = new Uint8Array(13);
  new DataView(head.buffer).setUint32(0, side);
  new DataView(head.buffer).setUint32(4, side);
  head.set([8, 2, 0, 0, 0], 8);
  const idat = new Uint8Array(deflateSync(rows, { level: 1 }));
  const parts = [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), chunk('IHDR', head)];
  for (let at = 0; at < idat.length; at += 65536) parts.push(chunk('IDAT', idat.subarray(at, at + 65536)));
  if (card) parts.push(chunk('tEXt', Buffer.from(`ccv3\0${Buffer.from(JSON.stringify(card)).toString('base64')}`)));
  parts.push(chunk('IEND', new Uint8Array(0)));
  return new Uint8Array(Buffer.concat(parts));
}

/** Members `[name, bytes]` as a zip; JSON is deflated, all else stored. */
export function zip(members) {
  const local = [];
  const central = [];
  let at = 0;
  for (const [path, content] of members) {
    const name = Buffer.from(path);
    const packed = path.endsWith('.json') ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(packed === content ? 0 : 8, 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const listed = Buffer.alloc(14);
    listed.writeUInt32LE(at, 10);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed);
    central.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, listed, name);
    at += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...local, list, end]));
}

/** The members of a charx with `count` pictures of `size` bytes each, the card first. */
export function charxMembers(count, size) {
  const names = Array.from({ length: count }, (_, i) => `assets/emotion/image/mood ${i}.png`);
  const rows = names.map((name, i) => ({ type: 'emotion', uri: `embeded://${name}`, name: `mood ${i}`, ext: 'png' }));
  const held = card();
  const whole = { ...held, data: { ...held.data, assets: rows } };
  const picture = noise(size);
  return [
    ['card.json', Buffer.from(JSON.stringify(whole, null, 4))],
    ...names.map((name, i) => {
      const own = picture.slice();
      new DataView(own.buffer).setUint32(8, i);
      own.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      return [name, own];
    }),
  ];
}

const sentence = 'The lamp turns, 霧が出る, and somebody on the stairs counts the ships that never came back. ';

/** A V3 card with texts of about 20 kB and a book of `entries` entries. */
export function card(entries = 0, name = 'Mira Vale') {
  const rows = Array.from({ length: entries }, (_, i) => ({
    id: i,
    keys: [`place ${i}`, `/bell ${i}(s)?/i`],
    secondary_keys: [],
    content: sentence.repeat(4),
    name: `Entry ${i}`,
    comment: `Entry ${i}`,
    enabled: true,
    constant: false,
    selective: false,
    insertion_order: i,
    position: 'after_char',
    use_regex: false,
    extensions: { position: 4, depth: 2, probability: 100, useProbability: true, role: 0 },
  }));
  return {
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: {
      name,
      description: sentence.repeat(60),
      personality: sentence.repeat(10),
      scenario: sentence.repeat(10),
      first_mes: sentence.repeat(20),
      mes_example: sentence.repeat(20),
      creator_notes: sentence,
      system_prompt: '',
      post_history_instructions: '',
      alternate_greetings: Array.from({ length: 6 }, (_, i) => `${i} ${sentence.repeat(12)}`),
      group_only_greetings: [],
      tags: ['sea', 'lamp'],
      creator: 'orla',
      character_version: '1',
      extensions: {
        talkativeness: '0.5',
        fav: false,
        world: '',
        depth_prompt: { prompt: 'The lamp hums.', depth: 4, role: 'system' },
      },
      ...(entries > 0 ? { character_book: { name: 'Bay', extensions: {}, entries: rows } } : {}),
    },
  };
}

/** A world info file as SillyTavern writes it, every key spelled out. */
export function worldInfo(count) {
  const entry = (uid) => ({
    uid,
    key: [`place ${uid}`, `灯台 ${uid}`],
    keysecondary: [],
    comment: `Entry ${uid}`,
    content: sentence.repeat(3),
    constant: false,
    vectorized: false,
    selective: true,
    selectiveLogic: 0,
    addMemo: true,
    order: 100,
    position: 4,
    disable: false,
    ignoreBudget: false,
    excludeRecursion: false,
    preventRecursion: uid % 3 === 0,
    matchPersonaDescription: false,
    matchCharacterDescription: false,
    matchCharacterPersonality: false,
    matchCharacterDepthPrompt: false,
    matchScenario: false,
    matchCreatorNotes: false,
    delayUntilRecursion: 0,
    probability: uid % 5 === 0 ? 60 : 100,
    useProbability: true,
    depth: 4,
    outletName: '',
    group: '',
    groupOverride: false,
    groupWeight: 100,
    scanDepth: null,
    caseSensitive: null,
    matchWholeWords: null,
    useGroupScoring: null,
    automationId: '',
    role: 0,
    sticky: null,
    cooldown: null,
    delay: null,
    triggers: [],
    displayIndex: uid,
  });
  const entries = Object.fromEntries(Array.from({ length: count }, (_, uid) => [uid, entry(uid)]));
  return Buffer.from(JSON.stringify({ entries }, null, 2));
}
