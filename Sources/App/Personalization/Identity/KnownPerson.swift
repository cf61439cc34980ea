/// A person who has logged in. Use the same user id and email on every channel, so that web and app end in one profile.
public struct KnownPerson: Hashable, Sendable {
    public var userID: String?
    public var email: String?
    public var firstName: String?
    public var lastName: String?
    /// In the form `+4930123456`.
    public var phoneNumber: String?
    public var address: PostalAddress?
    /// Ids of the person in other systems, such as a CRM contact.
    public var parties: [PartyIdentification]
    /// Further attributes of the profile by their developer names.
    public var attributes: [String: String]

    public init(
        userID: String? = nil, email: String? = nil, firstName: String? = nil, lastName: String? = nil,
        phoneNumber: String? = nil, address: PostalAddress? = nil, parties: [PartyIdentification] = [],
        attributes: [String: String] = [:]
    ) {
        self.userID = userID
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.phoneNumber = phoneNumber
        self.address = address
        self.parties = parties
        self.attributes = attributes
    }
}

/// An address. It is reported as a contact point once all fields but the second and third line are there.
public struct PostalAddress: Hashable, Sendable {
    public var addressLine1: String?
    public var addressLine2: String?
    public var addressLine3: String?
    public var city: String?
    public var postalCode: String?
    public var stateProvince: String?
    public var country: String?

    public init(
        addressLine1: String? = nil, addressLine2: String? = nil, addressLine3: String? = nil, city: String? = nil,
        postalCode: String? = nil, stateProvince: String? = nil, country: String? = nil
    ) {
        self.addressLine1 = addressLine1
        self.addressLine2 = addressLine2
        self.addressLine3 = addressLine3
        self.city = city
        self.postalCode = postalCode
        self.stateProvince = stateProvince
        self.country = country
    }
}

/// An id of the person in another system.
public struct PartyIdentification: Hashable, Sendable, Codable {
    /// What the id is called, such as `CRM Contact Id`.
    public var name: String
    /// The kind of system, such as `CRM`.
    public var type: String
    public var userID: String

    public init(name: String, type: String, userID: String) {
        self.name = name
        self.type = type
        self.userID = userID
    }
}

extension KnownPerson {
    static let maximumParties = 20

    /// All attributes by their names on the wire. An empty text counts as missing.
    ///
    /// - Throws: `missingID` without anything that tells who it is, `invalidValue` for what cannot be sent.
    func profile() throws(PersonalizationError) -> [String: String] {
        var profile: [String: String] = [:]
        let own: [(String, String?)] = [
            ("userId", userID), ("email", email), ("firstName", firstName), ("lastName", lastName),
            ("phoneNumber", phoneNumber), ("addressLine1", address?.addressLine1),
            ("addressLine2", address?.addressLine2), ("addressLine3", address?.addressLine3), ("city", address?.city),
            ("postalCode", address?.postalCode), ("stateProvince", address?.stateProvince),
            ("country", address?.country),
        ]
        for (name, value) in own {
            guard let value, !value.isEmpty else { continue }
            try AppEvent.check(value, name)
            profile[name] = value
        }
        guard profile["userId"] != nil || profile["email"] != nil || !parties.isEmpty else {
            throw PersonalizationError(
                .missingID, "a log-in needs a user id, an email or a party identification; without them nobody is known"
            )
        }
        guard parties.count <= KnownPerson.maximumParties else {
            throw .invalid(
                "there are \(parties.count) party identifications; at most \(KnownPerson.maximumParties) are sent")
        }
        for party in parties {
            try AppEvent.check(party.name, "the name of a party identification")
            try AppEvent.check(party.type, "the type of a party identification")
            try AppEvent.check(party.userID, "the user id of a party identification")
        }
        try ProfileState.check(attributes, besides: Set(own.map(\.0)))
        for (name, value) in attributes where !value.isEmpty { profile[name] = value }
        return profile
    }
}
