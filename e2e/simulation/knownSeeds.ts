/**
 * Seeds that found a fault of the product. They always run first. A change of the plans gives a seed another meaning;
 * the faults themselves are also in `planted.ts` or in unit tests.
 */
export const knownSeeds: readonly number[] = [
  41, 138, 471, 868, 1_154, 7_375, 358_664_919, 358_672_769, 358_674_718, 385_416_418, 385_452_955,
  385_518_044, 418_668_566, 418_687_419, 418_703_717, 418_705_941, 466_809_524, 466_819_603, 466_833_622,
];
