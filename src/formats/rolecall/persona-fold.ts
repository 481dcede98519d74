/** A persona's text in one slot of a card: the content, and two paragraphs with a label. */
export interface Folded {
  readonly content?: string | undefined;
  readonly appearance?: string | undefined;
  readonly body?: string | undefined;
}

/** Takes the first `Appearance:` and the first `Body:` paragraph out of a description; the rest is the content. */
export function unfolded(description: string): Folded {
  const [appearance, withoutAppearance] = cut(description, 'Appearance');
  const [body, content] = cut(withoutAppearance, 'Body');
  return { content, appearance, body };
}

/** The description again: the content first, then the labelled paragraphs that say something. */
export function folded({ content, appearance, body }: Folded): string {
  const parts = [content, labelled('Appearance', appearance), labelled('Body', body)];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

const labelled = (label: string, said: string | undefined): string | undefined =>
  said === undefined || said === '' ? undefined : `${label}: ${said}`;

/** The text of the first paragraph with this label, and what is left without it and one blank line beside it. */
function cut(whole: string, label: string): readonly [said: string | undefined, rest: string] {
  const paragraph = new RegExp(`(^|\\n[ \\t]*\\r?\\n)${label}:([^\\n]*(?:\\n(?![ \\t]*\\r?\\n)[^\\n]*)*)`);
  const hit = paragraph.exec(whole);
  if (!hit) return [undefined, whole];
  const before = whole.slice(0, hit.index);
  const after = whole.slice(hit.index + hit[0].length);
  return [(hit[2] ?? '').trim(), before === '' ? after.replace(/^\r?\n[ \t]*\r?\n/, '') : before + after];
}
