import type * as real from '../../../../server/src/db/engine/gateways.ts';
import { modelled } from '../modelDatabase.ts';

export const acquireGatewayLease: typeof real.acquireGatewayLease = modelled(
  'acquireGatewayLease',
  (state, { gatewayId, alone, seconds }) => {
    const now = state.now();
    for (const { id } of state.gateways.where(({ expiresAt }) => expiresAt < now)) state.gateways.delete(id);
    if (state.gateways.find((each) => each.id !== gatewayId && (each.alone || alone))) return false;
    const before = state.gateways.get(gatewayId);
    state.gateways.set(gatewayId, {
      id: gatewayId,
      alone: before?.alone ?? alone,
      expiresAt: now + seconds * 1_000,
    });
    return true;
  },
);

export const releaseGatewayLease: typeof real.releaseGatewayLease = modelled(
  'releaseGatewayLease',
  ({ gateways }, gatewayId) => void gateways.delete(gatewayId),
);
