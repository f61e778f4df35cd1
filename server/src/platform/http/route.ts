import type { Answer, CallName, Calls, Params } from '@settee/protocol/calls/http';
import { Uuid } from '@settee/protocol/model/ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { Refusal } from '../auth/refusal.ts';
import type { Caller, Manager, Staff, Visitor } from '../ports/caller.ts';

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
type CallerFor<A> = A extends 'visitor'
  ? Visitor
  : A extends 'staff' | 'account' | 'admin'
    ? Staff
    : A extends 'any'
      ? Caller
      : undefined;

/** The parsed and verified input of a route. */
export type Incoming<N extends CallName> = {
  caller: Calls[N] extends { scope: string } ? Manager : CallerFor<Calls[N]['auth']>;
  body: Calls[N] extends { bytes: number } ? Buffer : Parsed<Calls[N]['body']>;
  query: Parsed<Calls[N]['query']>;
  params: Params<N>;
  /** For cookies and the address only. */
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The fields of an answer besides `success: true`, which the server adds. */
type Fields<A> = A extends { success: true }
  ? keyof A extends 'success'
    ? undefined
    : Omit<A, 'success'>
  : A;
type Reply<F> = undefined extends F ? Promise<void> : Promise<F>;

/** One function per call of the protocol. */
export type Routes = { [N in CallName]: (incoming: Incoming<N>) => Reply<Fields<Answer<N>>> };

/** An id from the path. One that is no UUID is refused like an unknown id. */
export function idParam(id: string, refusal = () => new Refusal('not_found')): string {
  if (!v.is(Uuid, id)) throw refusal();
  return id;
}
