// Loaded into one gateway before the product. Sets its clock an hour ahead.
const HOUR_MS = 60 * 60 * 1_000;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct(target, args: unknown[], newTarget): object {
    const given = args.length === 0 ? [RealDate.now() + HOUR_MS] : args;
    return Reflect.construct(target, given, newTarget) as object;
  },
  get(target, key): unknown {
    return key === 'now' ? () => RealDate.now() + HOUR_MS : Reflect.get(target, key);
  },
});
