import APNSModel

extension WorldName: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "the name of a world is wanted") { (text: String) in WorldName(text) }
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
