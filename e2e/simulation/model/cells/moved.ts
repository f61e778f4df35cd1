import type * as real from '../../../../server/src/db/cells/moved.ts';
import { modelled } from '../modelDatabase.ts';

/** No desk ever moves to another cell. */

export const findNewCell: typeof real.findNewCell = modelled('findNewCell', () => undefined);

export const hasArrived: typeof real.hasArrived = modelled('hasArrived', () => false);

export const listMoved: typeof real.listMoved = modelled('listMoved', () => new Set());
