import APNSPayload
import ArgumentParser
import PayloadJSON

/// Reads the values of `--custom`, each of the form `KEY=JSON`.
enum CustomArguments {
    /// - Throws: `ValidationError` that shows the argument.
    static func read(_ arguments: [String]) throws -> CustomData {
        var custom = CustomData()
        for argument in arguments {
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
                throw problem(argument, "it must have the form KEY=JSON, such as 'order=\"A7\"'")
            }
            let key = String(argument[..<equals])
            guard custom[key] == nil else { throw problem(argument, "the key is given twice") }
            let value = try value(argument[argument.index(after: equals)...], in: argument, key: key)
            do throws(ReservedKeyError) {
                try custom.set(value, for: key)
            } catch {
                throw problem(argument, "\(error)")
            }
        }
        return custom
    }

    private static func value(_ text: Substring, in argument: String, key: String) throws -> PayloadValue {
        do throws(PayloadValueError) {
            return try PayloadValue(json: text.utf8)
        } catch {
            guard !text.isEmpty, isNotJSON(text) else { throw problem(argument, error.detail) }
            throw problem(
                argument,
                "the value is not JSON; a string has quotes: "
                    + ShellText.word("\(key)=\(JSONWriter.quoted(String(text.prefix(60))))"))
        }
    }

    private static func problem(_ argument: String, _ text: String) -> ValidationError {
        ValidationError("--custom \(PlainText.safe(argument.prefix(60))): \(PlainText.safe(text)).")
    }

    private static func isNotJSON(_ text: Substring) -> Bool { (try? JSONDocument(Array(text.utf8))) == nil }
}
