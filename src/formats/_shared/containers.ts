import type { Container } from '../../core/adapter.ts';

export const JSON_CONTAINER: Container = { name: 'json', extension: 'json', mime: 'application/json' };
export const PNG_CONTAINER: Container = { name: 'png', extension: 'png', mime: 'image/png' };
