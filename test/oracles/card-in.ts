/** The card of a file, taken out by the walkers of the tests: no code of the library has a part in it. */
import { isPng, isZip, pngCards, zipPieces } from '../kit/carriers.ts';

/** `ccv3` before `chara`, as SillyTavern reads; undefined where there is none. */
export function cardIn(file: Buffer): unknown {
  if (isPng(file)) {
    const cards = pngCards(file);
    const text = (cards.find(({ keyword }) => keyword === 'ccv3') ?? cards[0])?.text;
    return text === undefined ? undefined : JSON.parse(text);
  }
  if (!isZip(file)) return JSON.parse(file.toString('utf8'));
  const member = zipPieces(file).find(({ name }) => name === 'card.json');
  return member && JSON.parse(member.body.toString('utf8'));
}
