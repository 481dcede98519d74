/** Modules: a lorebook, rules, triggers and files in one binary. Facts: RisuAI 166.3.3, section 5. */
import type { Claim } from '../../core/account.ts';
import { required, text } from '../../core/codec.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { risuLoreFields } from './lorebook.ts';
import { isModule, moduleCarrier, moduleWith } from './module-file.ts';

/** The book of a module: its rows, under the name of the module. */
const moduleFields: readonly Lens<LorebookBody>[] = [
  lorebook.field('name', at('module.name'), required(text(), ''), { absent: '' }),
  lorebook.field('description', at('module.description'), required(text(), '')),
  ...risuLoreFields('module.lorebook'),
];
const structure: readonly Claim[] = [{ keys: ['type'] }, { keys: ['module', 'id'] }];

/** A module as the lorebook in it; its rules, triggers and files stay as they are. */
export const risuModule = defineJsonBook({
  id: 'risu-module',
  family: 'risu',
  label: 'RisuAI Module',
  shapes: [{ dialect: 'module', fields: moduleFields, structure, recognize: (value) => (isModule(value) ? 1 : 0) }],
  carriers: [moduleCarrier({ damaged: true })],
  carriedOnly: true,
  fresh: (body) =>
    create(moduleFields, moduleWith({ lorebook: [] }, [body.name, body.entries.map(({ title }) => title)]), body),
});
