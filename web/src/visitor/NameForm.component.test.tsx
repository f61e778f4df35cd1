import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { NameForm } from './NameGate.tsx';

const form = (error: string | null, names: string[] = []) => (
  <NameForm submit="Start" saving={false} error={error} onName={(name) => names.push(name)}>
    <h2>What should I call you?</h2>
  </NameForm>
);

test('the error about a name stays until the name is valid', async () => {
  const names: string[] = [];
  const screen = await render(form(null, names));
  const field = screen.getByLabelText('Display Name');
  const problem = screen.getByRole('alert');
  await field.fill('A');
  await expect.element(problem).toHaveTextContent('');
  await screen.getByRole('button').click();
  await expect.element(problem).toHaveTextContent('Name must be at least 2 characters');
  await field.fill('An');
  await expect.element(problem).toHaveTextContent('');
  await field.fill('Guest');
  await screen.getByRole('button').click();
  await expect.element(problem).toHaveTextContent('Please enter your own name.');
  await field.fill('Ana');
  await screen.getByRole('button').click();
  expect(names).toEqual(['Ana']);
  await screen.rerender(form('Failed to save name', names));
  await expect.element(problem).toHaveTextContent('Failed to save name');
  await field.fill('Anna');
  await expect.element(problem).toHaveTextContent('');
});

test.each([
  ['J', 'Name must be at least 2 characters'],
  ['me@home', "Please don't include emails or links"],
  ['http me', "Please don't include emails or links"],
  ['shop.com', "Please don't include emails or links"],
])('[C-01] the name %j shows the reason and is not saved', async (name, problem) => {
  const names: string[] = [];
  const screen = await render(form(null, names));
  const field = screen.getByLabelText('Display Name');
  await expect.element(field).toHaveAttribute('maxlength', '40');
  await field.fill(name);
  await screen.getByRole('button').click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent(problem);
  expect(names).toEqual([]);
});
