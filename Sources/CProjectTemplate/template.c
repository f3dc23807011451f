// The files that `sluice init` writes, as a part of the program. This file is in C because of #embed. SwiftPM's `.embedInCode` makes array
// literals in Swift, which take seconds to compile, and gives files with the same name in different folders only one name.

#include "CProjectTemplate.h"

#ifndef __has_embed
#error "This compiler does not support #embed; use the compiler of Swift 6.2 or later."
#endif
// #embed is C23. clang supports it in all versions of C, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char configuration[] = {
#embed "Files/project/sluice.yaml"
};
static const unsigned char prices[] = {
#embed "Files/project/prices/openai.json"
};
static const unsigned char suite[] = {
#embed "Files/project/prompts/mailbox/suite.yaml"
};
static const unsigned char prompt[] = {
#embed "Files/project/prompts/mailbox/v1.yaml"
};
static const unsigned char schema[] = {
#embed "Files/project/prompts/mailbox/answer.schema.json"
};
static const unsigned char cases[] = {
#embed "Files/project/datasets/mailbox/cases.yaml"
};
static const unsigned char readme[] = {
#embed "Files/project/datasets/mailbox/README.md"
};
static const unsigned char recordings[] = {
#embed "Files/project/datasets/mailbox/recordings/stand-in.jsonl"
};
static const unsigned char ledger[] = {
#embed "Files/project/datasets/mailbox/recordings/ledger/stand-in.jsonl"
};
static const unsigned char ignored[] = {
#embed "Files/project/.gitignore"
};
static const unsigned char attributes[] = {
#embed "Files/project/.gitattributes"
};
// The same schemas as in docs/.
static const unsigned char sluice_schema[] = {
#embed "../../docs/schemas/sluice.schema.json"
};
static const unsigned char suite_schema[] = {
#embed "../../docs/schemas/suite.schema.json"
};
static const unsigned char dataset_schema[] = {
#embed "../../docs/schemas/dataset.schema.json"
};
static const unsigned char case_schema[] = {
#embed "../../docs/schemas/case.schema.json"
};
static const unsigned char prompt_schema[] = {
#embed "../../docs/schemas/prompt.schema.json"
};
static const unsigned char scorers_schema[] = {
#embed "../../docs/schemas/scorers.schema.json"
};
static const unsigned char installing[] = {
#embed "Files/ci/scripts/install-sluice"
};
static const unsigned char github[] = {
#embed "Files/github/.github/workflows/sluice.yml"
};
static const unsigned char github_comment[] = {
#embed "Files/github/.github/workflows/sluice-comment.yml"
};
static const unsigned char github_recording[] = {
#embed "Files/github/.github/workflows/sluice-record.yml"
};
static const unsigned char github_drift[] = {
#embed "Files/github/.github/workflows/sluice-drift.yml"
};
static const unsigned char gitlab[] = {
#embed "Files/gitlab/.gitlab-ci.yml"
};
static const unsigned char pre_commit[] = {
#embed "Files/pre-commit/.pre-commit-config.yaml"
};
static const unsigned char hook[] = {
#embed "Files/hook/scripts/sluice-pre-commit"
};

#define FILE(path, bytes) { path, bytes, sizeof bytes }

static const struct template_file files[] = {
  FILE("project/sluice.yaml", configuration),
  FILE("project/prompts/mailbox/suite.yaml", suite),
  FILE("project/prompts/mailbox/v1.yaml", prompt),
  FILE("project/prompts/mailbox/answer.schema.json", schema),
  FILE("project/datasets/mailbox/cases.yaml", cases),
  FILE("project/datasets/mailbox/README.md", readme),
  FILE("project/datasets/mailbox/recordings/stand-in.jsonl", recordings),
  FILE("project/datasets/mailbox/recordings/ledger/stand-in.jsonl", ledger),
  FILE("project/prices/openai.json", prices),
  FILE("project/.sluice/schemas/sluice.schema.json", sluice_schema),
  FILE("project/.sluice/schemas/suite.schema.json", suite_schema),
  FILE("project/.sluice/schemas/dataset.schema.json", dataset_schema),
  FILE("project/.sluice/schemas/case.schema.json", case_schema),
  FILE("project/.sluice/schemas/prompt.schema.json", prompt_schema),
  FILE("project/.sluice/schemas/scorers.schema.json", scorers_schema),
  FILE("project/.gitignore", ignored),
  FILE("project/.gitattributes", attributes),
  FILE("ci/scripts/install-sluice", installing),
  FILE("github/.github/workflows/sluice.yml", github),
  FILE("github/.github/workflows/sluice-comment.yml", github_comment),
  FILE("github/.github/workflows/sluice-record.yml", github_recording),
  FILE("github/.github/workflows/sluice-drift.yml", github_drift),
  FILE("gitlab/.gitlab-ci.yml", gitlab),
  FILE("pre-commit/.pre-commit-config.yaml", pre_commit),
  FILE("hook/scripts/sluice-pre-commit", hook),
};

const size_t template_file_count = sizeof files / sizeof *files;

const struct template_file *template_file_at(size_t index) { return &files[index]; }
