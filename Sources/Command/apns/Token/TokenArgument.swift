import ProviderToken

/// Reads a provider token from an argument or from standard input.
enum TokenArgument {
    /// - Returns: The provider token without white space around it and without a leading `bearer`.
    static func read(_ argument: String) throws(CommandError) -> String {
        guard argument == "-" else { return plain(argument) }
        do throws(FileError) {
            let bytes = try InputFile.bytes(of: argument, limit: 4 * ParsedToken.maximumBytes)
            return plain(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandError(error.description)
        }
    }

    static func plain(_ text: String) -> String {
        let text = text[...].trimmed
        let word = text.prefix { !$0.isWhitespace }
        return String(word.lowercased() == "bearer" ? text.dropFirst(word.count).trimmed : text)
    }
}
