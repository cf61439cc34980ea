extension Decoder {
    /// Reads a single value and makes a type of it that not every value fits.
    ///
    /// - Parameters:
    ///   - message: The description of the error where `make` returns nil. It must not quote the value, which may be a
    ///     device token.
    ///   - make: The failable initializer of the type.
    package func checkedValue<Raw: Decodable, Value>(
        or message: String, _ make: (Raw) -> Value?
    ) throws -> Value {
        let container = try singleValueContainer()
        guard let value = make(try container.decode(Raw.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
        }
        return value
    }
}
