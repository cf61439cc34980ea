extension JSONParser {
    /// Reads a number at the cursor, which stands on a digit or a minus sign. Size is no matter: `1e9999` is a number.
    mutating func readNumber() throws(JSONSyntaxError) {
        let start = position
        var kind = JSONKind.integer
        if base[position] == UInt8(ascii: "-") {
            position += 1
            guard position < count else { throw error(.unexpectedEnd) }
            if base[position] == UInt8(ascii: "I") || base[position] == UInt8(ascii: "N") {
                throw error(.notANumber, at: start)
            }
        }
        let firstDigit = position
        try readDigits()
        if base[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw error(.leadingZero, at: firstDigit)
        }
        if position < count, base[position] == UInt8(ascii: ".") {
            kind = .fraction
            position += 1
            try readDigits()
        }
        if position < count, base[position] | 0x20 == UInt8(ascii: "e") {
            kind = .fraction
            position += 1
            if position < count, base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-") {
                position += 1
            }
            try readDigits()
        }
        append(kind, from: start)
    }

    /// Steps over one digit or more.
    private mutating func readDigits() throws(JSONSyntaxError) {
        let start = position
        while position < count, base[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw error(position < count ? .missingDigits : .unexpectedEnd) }
    }
}
