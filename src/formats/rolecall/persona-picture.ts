import { isBytes } from '../../core/bytes.ts';
import type { Lens } from '../../core/lens.ts';
import { persona } from '../../entities/persona/lenses.ts';
import type { PersonaBody } from '../../entities/persona/schema.ts';
import { isPngPortrait } from '../_shared/card.ts';

/** The picture around a persona is its portrait; a JSON file has no place for one. */
export const pictureAround = persona.joint(['media.portrait'], {
  wire: ['picture'],
  shape: 'the picture around the card',
  lossy: true,
  note: 'one picture, where the file is a picture',
  read: ({ picture }) =>
    isBytes(picture)
      ? { 'media.portrait': { role: 'portrait', ref: picture, ...(picture.mime ? { mime: picture.mime } : {}) } }
      : {},
  write(draft, { 'media.portrait': now }) {
    if (now === undefined) draft.delete(['picture']);
    else if (draft.twin.carrier === 'png' && isPngPortrait(now.ref)) draft.set(['picture'], now.ref);
  },
}) as Lens<PersonaBody>;
