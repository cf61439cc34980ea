import ArgumentParser

/// The options that render a payload of its own for each recipient.
struct TemplateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A payload file with places such as {{name}} in its strings, which --recipients fills.", valueName: "path"),
        completion: .file(extensions: ["json", "apns"]))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "A file of recipients, one JSON object a line, with token and the values for --template; - is standard input.",
            valueName: "path"),
        completion: .file())
    var recipients: String?

    /// The two paths; nil where none was given.
    ///
    /// - Throws: `ValidationError` where only one was given.
    func paths() throws -> TemplatePaths? {
        switch (template, recipients) {
        case (nil, nil): return nil
        case (let template?, let recipients?):
            guard template != "-" else {
                throw ValidationError("--template needs a file; standard input can be the one of --recipients.")
            }
            return TemplatePaths(template: template, recipients: recipients)
        case (_?, nil): throw ValidationError("--template needs --recipients FILE, whose values fill its places.")
        case (nil, _?):
            throw ValidationError("--recipients needs --template FILE, the payload to fill for each of them.")
        }
    }
}

/// The files of `--template` and `--recipients`.
struct TemplatePaths: Hashable, Sendable {
    var template: String
    var recipients: String
}
