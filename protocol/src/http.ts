import type * as v from 'valibot';
import { mediaCalls } from './mediaCalls.ts';
import { pushCalls } from './pushCalls.ts';
import { staffCalls } from './staffCalls.ts';
import { visitorCalls } from './visitorCalls.ts';

/** Every call of the HTTP door. */
export const calls = { ...visitorCalls, ...mediaCalls, ...pushCalls, ...staffCalls } as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
export type Answer<N extends CallName> = v.InferOutput<Calls[N]['answer']>;
export type Body<N extends CallName> = Calls[N]['body'] extends v.GenericSchema
  ? v.InferInput<Calls[N]['body']>
  : undefined;
