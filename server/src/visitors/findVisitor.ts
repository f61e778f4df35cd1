import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasDevice } from '../access/access.store.ts';
import type { App } from '../platform/app.ts';
import { findNewCell, hasArrived } from '../platform/db/moved.ts';
import { sendTo } from '../platform/http/otherCell.ts';
import {
  readUnsignedVisitorCookies,
  readVisitorCookie,
  type VisitorSecret,
  visitorOf,
} from './visitorCookie.ts';

/** The visitor of this browser. Throws if all their conversations moved. */
export async function findVisitor(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<VisitorSecret | undefined> {
  const signed = readVisitorCookie(app, request);
  const arrived = await findArrived(app, request);
  if (signed === undefined) return arrived;
  const cell = await findNewCell(app.db, signed.visitorId);
  const isHere = (cell ?? arrived) === undefined || (await hasDevice(app.db, visitorOf(signed)));
  if (isHere || arrived !== undefined || cell === undefined) return isHere ? signed : arrived;
  throw sendTo(app, reply, cell);
}

/** The cookie of another cell, if its conversation moved here. The stored hash of its secret proves it. */
async function findArrived(app: App, request: FastifyRequest): Promise<VisitorSecret | undefined> {
  for (const visitor of readUnsignedVisitorCookies(app, request)) {
    if (await hasArrived(app.db, visitorOf(visitor))) return visitor;
  }
  return undefined;
}
