import type { Answer, CallName, Calls } from '@settee/protocol/calls/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { Caller, Staff, Visitor } from '../caller.ts';

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
type CallerFor<A> = A extends 'visitor'
  ? Visitor
  : A extends 'staff' | 'account' | 'admin'
    ? Staff
    : A extends 'any'
      ? Caller
      : undefined;

/** What a route's handler is given: everything parsed and verified, nothing to check by hand. */
export type Incoming<N extends CallName> = {
  caller: CallerFor<Calls[N]['auth']>;
  body: Calls[N] extends { bytes: number } ? Buffer : Parsed<Calls[N]['body']>;
  query: Parsed<Calls[N]['query']>;
  params: Record<string, string>;
  /** For cookies and the address only. */
  request: FastifyRequest;
  reply: FastifyReply;
};

/** One function per call of the protocol; http/server.ts demands them all. */
export type Routes = { [N in CallName]: (incoming: Incoming<N>) => Promise<Answer<N>> };
