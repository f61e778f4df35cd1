import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { Landing } from './Landing.tsx';

const root = document.getElementById('app');
if (root) createRoot(root).render(<Landing />);
