/** Says in the environment that the pages were just built: `npm run check` does it once for all that look at them. */
export const BUILT = { SETTEE_BUILT: 'yes' };

export function wasBuilt(): boolean {
  return process.env.SETTEE_BUILT === BUILT.SETTEE_BUILT;
}
