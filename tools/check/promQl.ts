// Reads a PromQL expression and compares it with what processes tell.
import type { SyntaxNode } from '@lezer/common';
import {
  EqlRegex,
  EqlSingle,
  GroupingLabels,
  Identifier,
  LabelName,
  parser,
  StringLiteral,
  UnquotedLabelMatcher,
  VectorSelector,
} from '@prometheus-io/lezer-promql';
import type { Labels } from './exposedMetrics.ts';

/** What is wrong with it; nothing when all is well. */
export function readPromQl(expr: string, exposed: ReadonlyMap<string, Labels>): string[] {
  const problems: string[] = [];
  const text = ({ from, to }: SyntaxNode): string => expr.slice(from, to);
  const known = new Set<string>();
  const grouped: string[] = [];

  const select = (node: SyntaxNode): void => {
    const name = text(node.getChild(Identifier) ?? node);
    const labels = exposed.get(name);
    if (labels === undefined) {
      problems.push(`no metric ${name}`);
      return;
    }
    for (const label of labels.keys()) known.add(label);
    for (const matcher of all(node, UnquotedLabelMatcher)) {
      const label = text(matcher.getChild(LabelName) ?? matcher);
      const wanted = text(matcher.getChild(StringLiteral) ?? matcher).slice(1, -1);
      const values = labels.get(label);
      if (values === undefined) problems.push(`${name} has no label ${label}`);
      else if (!fits(matcher, wanted, values)) problems.push(`no ${label} of ${name} is ${wanted}`);
    }
  };

  const tree = parser.parse(expr);
  tree.iterate({
    enter(ref) {
      if (ref.type.isError) problems.push('not PromQL');
      if (ref.type.id === VectorSelector) select(ref.node);
      if (ref.type.id === GroupingLabels) grouped.push(...all(ref.node, LabelName).map(text));
    },
  });
  if (problems.includes('not PromQL')) return ['not PromQL'];
  for (const label of grouped) if (!known.has(label)) problems.push(`nothing has a label ${label}`);
  return problems;
}

/** Whether any value that is told would be found. Those that leave something out always find the rest. */
function fits(matcher: SyntaxNode, wanted: string, values: ReadonlySet<string>): boolean {
  const operator = matcher.getChild('MatchOp')?.firstChild?.type.id;
  if (operator === EqlRegex) return [...values].some((value) => new RegExp(`^(?:${wanted})$`).test(value));
  return operator === EqlSingle ? values.has(wanted) : true;
}

function all(node: SyntaxNode, type: number): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((ref) => {
    if (ref.type.id === type) found.push(ref.node);
  });
  return found;
}
