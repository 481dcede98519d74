/** Keys of a preset that must not travel: who pays for a model, where it runs, and with which key. */
import type { Claim } from '../../core/account.ts';
import type { Stripped } from '../../core/adapter.ts';
import { existsAt, isRecord, openDraft, saysNothing, valueAt } from '../../core/draft.ts';

/** SillyTavern's own list of sensitive fields, release 1.19.0. None of them has a slot in the body. */
export const SECRET_KEYS: readonly string[] = [
  'reverse_proxy',
  'proxy_password',
  'custom_url',
  'custom_include_body',
  'custom_exclude_body',
  'custom_include_headers',
  'vertexai_region',
  'vertexai_express_project_id',
  'azure_base_url',
  'azure_deployment_name',
  'workers_ai_account_id',
];

/** A preset without its secrets; the keys stay away, everything else is as it was. Empty ones hide nothing and stay. */
export function withoutSecrets(raw: unknown): Stripped {
  if (!isRecord(raw)) return { raw, removed: [] };
  const draft = openDraft(raw);
  const removed = SECRET_KEYS.filter((key) => !saysNothing(valueAt(raw, [key])));
  for (const key of removed) draft.delete([key]);
  return { raw: draft.wire, removed };
}

/** Claims that let a report name a secret without showing it. */
export const secretClaims: readonly Claim[] = SECRET_KEYS.map((key) => ({
  keys: [key],
  inside: (value, path, out) => {
    if (!saysNothing(value)) out.unread(path, '(a secret, not shown)');
  },
}));

/** Whether a parsed preset holds any secret. */
export const holdsSecrets = (raw: unknown): boolean =>
  SECRET_KEYS.some((key) => existsAt(raw, [key]) && !saysNothing(valueAt(raw, [key])));
