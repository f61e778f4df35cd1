// Loaded into a gateway before the product. Sets its clock an hour ahead, or as far as CLOCK_AHEAD_MS says.
const HOUR_MS = 60 * 60 * 1_000;
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS ?? HOUR_MS);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct(target, args: unknown[], newTarget): object {
    const given = args.length === 0 ? [RealDate.now() + AHEAD_MS] : args;
    return Reflect.construct(target, given, newTarget) as object;
  },
  get(target, key): unknown {
    return key === 'now' ? () => RealDate.now() + AHEAD_MS : Reflect.get(target, key);
  },
});
