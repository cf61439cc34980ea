/// JSON for people: a member on each line, two spaces for each level.
package enum IndentedJSON {
    /// - Parameter compact: Well-formed JSON without white space between its tokens.
    /// - Returns: Without a line end after the last line.
    package static func text(_ compact: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var depth = 0
        var isInString = false
        var position = 0
        func breakLine() {
            text.append(UInt8(ascii: "\n"))
            text += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
        }
        while position < compact.count {
            let byte = compact[position]
            position += 1
            guard !isInString else {
                text.append(byte)
                if byte == UInt8(ascii: "\\"), position < compact.count {
                    text.append(compact[position])
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                text.append(byte)
                if position < compact.count, compact[position] == byte + 2 {
                    text.append(compact[position])
                    position += 1
                } else {
                    depth += 1
                    breakLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine()
                text.append(byte)
            case UInt8(ascii: ","):
                text.append(byte)
                breakLine()
            case UInt8(ascii: ":"): text += ": ".utf8
            default:
                if byte == UInt8(ascii: "\"") { isInString = true }
                text.append(byte)
            }
        }
        return text
    }
}
