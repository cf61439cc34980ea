extension DeviceToken {
    /// Reads an even, non-zero number of hexadecimal digits in ASCII, of either case.
    ///
    /// - Throws: An error that says what else the text is, such as the description of a `Data` value, Base64 or a token of
    ///   Firebase, and how to get the digits.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let token = DeviceToken(text) else { throw DeviceToken.error(for: text) }
        self = token
    }

    /// The error for a text that is not a device token. The command uses its words too.
    package static func error(for text: some StringProtocol) -> APNSValueError {
        guard let problem = DeviceTokenProblem(text) else {
            return APNSValueError(.deviceToken, "the device token cannot be used")
        }
        let shown = text.isEmpty ? "" : " \(ShownText.quoted(shorten(text)))"
        return APNSValueError(.deviceToken, "the device token\(shown) \(problem); \(problem.advice)")
    }
}
