import { fillText } from '@settee/protocol/fillText';
import { isUnnamed } from '@settee/protocol/visitor';

/**
 * A saved reply for this visitor. Who gave no name is not called 'there', which fits neither every language nor every
 * sentence: the place and what leads to it fall away, as in 'Thank you, {name}!'.
 */
export function fillReply(text: string, visitorName: string): string {
  if (!isUnnamed(visitorName)) return fillText(text, { name: visitorName.trim() });
  return text.replace(/(^|\n)\{name\}[,:]?[^\S\n]*/g, '$1').replace(/,?[^\S\n]*\{name\}/g, '');
}
