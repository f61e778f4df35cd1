import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { watchKeyboardFocus } from '../ui/keyboardFocus.ts';
import { Landing } from './Landing.tsx';

watchKeyboardFocus();
const root = document.getElementById('app');
if (root) createRoot(root).render(<Landing />);
