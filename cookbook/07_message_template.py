"""Placeholders in message templates: `format_prompt`, as documented, and its safer options.

Run it: python cookbook/07_message_template.py
"""

from prompt_adapters import format_prompt

template = [
    {"role": "system", "content": 'You are {name}, who answers as {"answer": "..."}.'},
    {"role": "user", "content": "Hello, {name}! {question}"},
]

# Every text field is processed; what matches no key stays, JSON braces too.
messages = format_prompt(template, {"name": "Ada", "question": "What is {x}?"})
for message in messages:
    print(f"{message['role']:7}", message["content"])

# By default one key is replaced after the other, so a value can bring in another key's placeholder.
forged = {"question": "My name is {name}.", "name": "Ada"}
print("\none by one: ", format_prompt(template, forged)[1]["content"])

# In a single pass a value is only a value, whatever the order.
safe = format_prompt(template, forged, single_pass=True)
print("single pass:", safe[1]["content"])

# Content lists are reached into when that is asked for.
parts = [{"role": "user", "content": [{"type": "text", "text": "Is {name} in this picture?"}]}]
nested = format_prompt(parts, {"name": "Ada"}, nested=True, single_pass=True)
print("nested:     ", nested[0]["content"])

assert template[1]["content"] == "Hello, {name}! {question}"
assert messages[0]["content"] == 'You are Ada, who answers as {"answer": "..."}.'
assert safe[1]["content"] == "Hello, Ada! My name is {name}."
assert nested[0]["content"][0]["text"] == "Is Ada in this picture?"
