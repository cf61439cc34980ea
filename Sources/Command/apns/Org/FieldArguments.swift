import ArgumentParser
import PushDispatch

/// Reads values of fields from arguments.
enum FieldArguments {
    /// `Name=Text` sets a string, `Name=` clears the field, and `Phone:=7` sets a value written in JSON.
    static func fields(_ words: [String]) throws -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw ValidationError("\(PlainText.safe(word)) does not have the form Field=value")
            }
            var name = word[..<equals]
            let text = String(word[word.index(after: equals)...])
            let value: JSONValue
            if name.hasSuffix(":") {
                name.removeLast()
                guard let json = try? JSONReader.read(Array(text.utf8), limits: .push) else {
                    throw ValidationError("\(PlainText.safe(word)): what follows := is not JSON")
                }
                value = json
            } else {
                value = text.isEmpty ? .null : .string(text)
            }
            guard fields.updateValue(value, forKey: String(name)) == nil else {
                throw ValidationError("\(PlainText.safe(name)) is set twice; give each field once")
            }
        }
        return fields
    }
}
