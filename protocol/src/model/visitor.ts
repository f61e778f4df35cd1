import * as v from 'valibot';
import { Time, Uuid } from './ids.ts';

/** Trimmed names that count as no name. */
export const UNNAMED = new Set(['', 'Guest']);

/** Keyed by visitorId. */
export const VisitorProfile = v.object({
  visitorId: Uuid,
  displayName: v.string(),
  createdAt: Time,
  /** The push token; null while notifications are off. */
  fcmToken: v.nullable(v.string()),
});
export type VisitorProfile = v.InferOutput<typeof VisitorProfile>;

const LABEL_ID_LENGTH = 8;

export function isUnnamed(visitorName: string): boolean {
  return UNNAMED.has(visitorName.trim());
}

/** 'V-' and the start of the id: the label of a visitor without a name. */
export function visitorLabel(visitorId: string): string {
  return `V-${visitorId.slice(0, LABEL_ID_LENGTH).toUpperCase()}`;
}

export function visitorNameOrLabel(visitor: { visitorId: string; visitorName: string }): string {
  return isUnnamed(visitor.visitorName) ? visitorLabel(visitor.visitorId) : visitor.visitorName.trim();
}
