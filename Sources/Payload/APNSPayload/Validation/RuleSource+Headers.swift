extension RuleSource {
    static let http2 = "https://www.rfc-editor.org/rfc/rfc9113#section-8.2.1"
    static let envelope = "the envelope format of this package: a notification with its headers as one JSON object"
    static let contracts = "the application contracts of the configuration"
}
