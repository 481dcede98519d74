/** Every operation with its floor: the least that any program must do for the same result. */
import { crc32, inflateRawSync } from 'node:zlib';
import { createEngine } from '../dist/engine.js';
import risu from '../dist/formats/risu.js';
import sillytavern from '../dist/formats/sillytavern.js';
import { bytesOf, convert, detect, read, write } from '../dist/index.js';
import { card, charxMembers, png, worldInfo, zip } from './inputs.mjs';

const { registry } = createEngine([...sillytavern, ...risu]);
/** Writing alone, without reading the result back for the report. */
const seal = (format, entity, context = {}) => registry.named(format).fromCanonical([entity], context);
for (const adapter of registry.adapters) await adapter.prepare?.('write');

const latin1 = (bytes, from, to) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).latin1Slice(from, to);
const parseText = (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64');

/** Where the card of a picture stands. */
function payloadIn(bytes) {
  const from = Buffer.from(bytes.buffer).indexOf('ccv3\0') + 5;
  return [from, from - 5 + Buffer.from(bytes.buffer).readUInt32BE(from - 13)];
}

/** Reading: parse the payload, decode its base64, one copy of the file into memory that is there already. */
function readFloor(bytes, parse) {
  const copy = new Uint8Array(bytes.length);
  return () => {
    copy.set(bytes);
    return parse();
  };
}
const pngFloor = (bytes) => {
  const [from, to] = payloadIn(bytes);
  return readFloor(bytes, () => JSON.parse(Buffer.from(latin1(bytes, from, to), 'base64').toString('utf8')));
};
const jsonFloor = (bytes) => readFloor(bytes, () => parseText(bytes));

/** Where the members of an archive of `inputs.mjs` stand. */
function placesIn(bytes, members) {
  const view = new DataView(bytes.buffer);
  let at = 0;
  return members.map(() => {
    const from = at + 30 + view.getUint16(at + 26, true);
    at = from + view.getUint32(at + 18, true);
    return [from, at];
  });
}

/** An archive: its card inflated and parsed, every other member copied. */
function charxFloor(bytes, members) {
  const copy = new Uint8Array(bytes.length);
  const [first, ...rest] = placesIn(bytes, members);
  return () => {
    for (const [from, to] of rest) copy.set(bytes.subarray(from, to), from);
    return parseText(inflateRawSync(bytes.subarray(...first)));
  };
}

/** Pieces copied into a new file. */
function laid(pieces) {
  const out = new Uint8Array(pieces.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of pieces) {
    out.set(one, at);
    at += one.length;
  }
  return out;
}

/** Members stored: a checksum and a copy each. */
const storedFloor = (pieces) => () => {
  for (const one of pieces) crc32(one);
  return laid(pieces);
};

/** The first entity with another description. */
const edited = (entities) => {
  const [first] = entities;
  const identity = { ...first.body.identity, description: 'The lamp is out.' };
  return { ...first, body: { ...first.body, identity } };
};

const fresh = ({ original: _, ...entity }) => entity;

/** The operations, in the order they are printed. `bound` is the target of the ratio; without one it is told only. */
export function operations() {
  const list = [];
  const add = (name, bound, floorText, input, make) => list.push({ name, bound, floor: floorText, input, make });

  const parsed = 'parse, decode, copy';
  add('read a card from JSON', undefined, 'parse, copy', '20 kB', () => {
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(card(), null, 2)));
    return [() => read(bytes), jsonFloor(bytes)];
  });
  add('read a card from PNG', 1.2, parsed, '1.5 MB', () => {
    const bytes = png(1_500_000, card());
    return [() => read(bytes), pngFloor(bytes)];
  });
  add('read a card and its book from PNG', 1.2, parsed, '10 MB, 300 entries', () => {
    const bytes = png(10_000_000, card(300));
    return [() => read(bytes), pngFloor(bytes)];
  });
  add('detect over the full roster', 1.2, 'read of the same file', '1.5 MB PNG', () => {
    const bytes = png(1_500_000, card());
    return [() => detect(bytes), () => read(bytes)];
  });
  add('write an edited card into its PNG', 1.5, 'print, encode, copy', '1.5 MB', async () => {
    const bytes = png(1_500_000, card());
    const entity = edited((await read(bytes)).entities);
    const value = card();
    return [() => seal('sillytavern', entity), () => [encode(value), bytes.slice()]];
  });
  // The picture's checksums are proved before a card goes into it: SillyTavern refuses the whole file over a wrong one.
  add('write a fresh PNG, V2 and V3', 1.5, 'print and encode twice, checksum and copy', '1.5 MB', async () => {
    const bytes = png(1_500_000, card());
    const entity = fresh((await read(bytes)).entities[0]);
    const value = card();
    return [
      () => seal('sillytavern', entity, { container: 'png' }),
      () => [encode(value), encode(value), crc32(bytes), bytes.slice()],
    ];
  });
  add('the same edit with the measured report', undefined, 'print, encode, copy, decode, parse', '1.5 MB', async () => {
    const bytes = png(1_500_000, card());
    const { entities } = await read(bytes);
    const pieces = [edited(entities), ...entities.slice(1)];
    const value = card();
    const again = pngFloor(bytes);
    return [() => write(pieces, 'sillytavern'), () => [encode(value), bytes.slice(), again()]];
  });
  for (const [count, size] of [
    [20, 150_000],
    [2000, 20_000],
  ]) {
    const input = `${count} assets, ${(count * size) / 1e6} MB`;
    const charx = () => {
      const members = charxMembers(count, size);
      return { members, bytes: zip(members) };
    };
    add('read charx, assets lazy', 1.3, 'inflate and parse the card, copy the members', input, () => {
      const { members, bytes } = charx();
      return [() => read(bytes), charxFloor(bytes, members)];
    });
    add('read charx and every asset, checked', undefined, 'the same and a checksum each', input, () => {
      const { members, bytes } = charx();
      const floor = charxFloor(bytes, members);
      const places = placesIn(bytes, members);
      return [
        async () => {
          const { entities } = await read(bytes);
          for (const { ref } of entities[0].body.media.assets) ref.bytes();
        },
        () => {
          for (const place of places) crc32(bytes.subarray(...place));
          return floor();
        },
      ];
    });
    add('write charx back, unedited', 1.5, 'copy the members', input, async () => {
      const { members, bytes } = charx();
      const [entity] = (await read(bytes)).entities;
      const pieces = placesIn(bytes, members).map((place) => bytes.subarray(...place));
      return [() => seal('risu', entity), () => laid(pieces)];
    });
    add('write charx back, card edited', 1.5, 'print and deflate the card, copy the members', input, async () => {
      const { deflateRawSync } = await import('node:zlib');
      const { members, bytes } = charx();
      const entity = edited((await read(bytes)).entities);
      const [, ...pieces] = placesIn(bytes, members).map((place) => bytes.subarray(...place));
      const value = JSON.parse(members[0][1]);
      const text = () => deflateRawSync(JSON.stringify(value, null, 4));
      return [() => seal('risu', entity), () => laid([text(), ...pieces])];
    });
    add('write a fresh charx', 1.5, 'checksum and copy of its members, stored', input, async () => {
      const { members, bytes } = charx();
      const entity = fresh((await read(bytes)).entities[0]);
      const assets = entity.body.media.assets.map((asset, i) => ({
        ...asset,
        ref: bytesOf(new Uint8Array(members[i + 1][1]), 'image/png'),
      }));
      const own = { ...entity, body: { ...entity.body, media: { ...entity.body.media, assets } } };
      return [() => seal('risu', own), storedFloor(members.map(([, content]) => content))];
    });
  }
  add('PNG to charx with the measured report', 2.5, 'checksum and copy of its members, stored', '1.5 MB', () => {
    const bytes = png(1_500_000, card());
    const floor = storedFloor([Buffer.from(JSON.stringify(card(), null, 4)), png(1_500_000)]);
    return [() => convert(bytes, 'risu'), floor];
  });
  add('read a world info', 2, 'parse, copy', '5,000 entries', () => {
    const bytes = new Uint8Array(worldInfo(5000));
    return [() => read(bytes), jsonFloor(bytes)];
  });
  const parsedAndPrinted = (bytes) => {
    const value = JSON.parse(bytes);
    return () => [Buffer.from(JSON.stringify(value, null, 2)), parseText(bytes)];
  };
  const world = async () => {
    const bytes = worldInfo(5000);
    const { entities } = await read(bytes);
    const [{ body }] = entities;
    const [first, ...rest] = body.entries;
    const change = { ...body, entries: [{ ...first, content: 'The lamp is out.' }, ...rest] };
    return { entities, changed: { ...entities[0], body: change }, floor: parsedAndPrinted(bytes) };
  };
  add('write it unedited', 2, 'parse and print', '5,000 entries', async () => {
    const { entities, floor } = await world();
    return [() => seal('sillytavern-lorebook', entities[0]), floor];
  });
  add('write it with one entry edited', 2, 'parse and print', '5,000 entries', async () => {
    const { changed, floor } = await world();
    return [() => seal('sillytavern-lorebook', changed), floor];
  });
  add('write it unedited, measured', undefined, 'parse and print', '5,000 entries', async () => {
    const { entities, floor } = await world();
    return [() => write(entities, 'sillytavern'), floor];
  });
  return list;
}

/** Work on inputs of two sizes: what grows with them must grow no faster than they do. */
export function growth() {
  const charx = (count) => zip(charxMembers(count, 2000));
  const world = (count) => new Uint8Array(worldInfo(count));
  const readIt = (bytes) => () => read(bytes);
  const back = async (bytes) => {
    const { format, entities } = await read(bytes);
    return () => write(entities, format);
  };
  return [
    { name: 'read a world info', sizes: [1000, 8000], unit: 'entries', make: (count) => readIt(world(count)) },
    { name: 'write it unedited, measured', sizes: [1000, 8000], unit: 'entries', make: (count) => back(world(count)) },
    { name: 'read charx', sizes: [1000, 8000], unit: 'assets', make: (count) => readIt(charx(count)) },
    { name: 'write charx back, measured', sizes: [1000, 8000], unit: 'assets', make: (count) => back(charx(count)) },
  ];
}
