// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-flowplayer",
    products: [
        .library(name: "FlowplayerSDK", targets: ["FlowplayerSDK"]),
        .library(name: "Playback", targets: ["Playback"]),
        .library(name: "VLCBackend", targets: ["VLCBackend"]),
        .library(name: "GStreamerBackend", targets: ["GStreamerBackend"]),
        .library(name: "LogindLifecycle", targets: ["LogindLifecycle"]),
        .library(name: "NowPlaying", targets: ["NowPlaying"]),
        .library(name: "EventLog", targets: ["EventLog"]),
        .library(name: "ResumePositions", targets: ["ResumePositions"]),
        .library(name: "Advertising", targets: ["Advertising"]),
        .library(name: "PlayerControls", targets: ["PlayerControls"]),
        .library(name: "FlowplayerGTK", targets: ["FlowplayerGTK"]),
        .library(name: "Playlists", targets: ["Playlists"]),
        .library(name: "FlowplayerThumbnails", targets: ["FlowplayerThumbnails"]),
        .library(name: "PlaybackMetrics", targets: ["PlaybackMetrics"]),
        .library(name: "FlowplayerTerminal", targets: ["FlowplayerTerminal"]),
        .library(name: "FlowplayerIsolation", targets: ["FlowplayerIsolation"]),
        .library(name: "TerminalLifecycle", targets: ["TerminalLifecycle"]),
        .library(name: "FlowplayerTesting", targets: ["FlowplayerTesting"]),
        .library(name: "FlowplayerFaults", targets: ["FlowplayerFaults"]),
        .executable(name: "flowplay", targets: ["flowplay"]),
        .executable(name: "flowplayer-engine", targets: ["flowplayer-engine"]),
        .executable(name: "faulty-server", targets: ["faulty-server"]),
    ],
    traits: [
        .trait(
            name: "VLC",
            description: "The libVLC backend. Needs libvlc-dev, vlc-plugin-base and libpulse-dev."
        ),
        .trait(
            name: "GStreamer",
            description:
                "The GStreamer backend. Needs libgstreamer1.0-dev, libgstreamer-plugins-base1.0-dev and libpulse-dev."
        ),
        .trait(name: "Systemd", description: "Desktop integration: session lock, sleep and MPRIS, over libsystemd."),
        .trait(name: "GTK", description: "Windows and widgets of GTK 4. Needs libgtk-4-dev."),
        .default(enabledTraits: ["VLC", "Systemd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(name: "Playback"),
        .target(
            name: "FlowplayerSDK",
            dependencies: [
                "Images", "FlowplayerIsolation", "MediaTransport", "Playback",
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
                .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(name: "FlowplayerTesting", dependencies: ["Playback"]),
        .target(
            name: "FlowplayerFaults",
            dependencies: ["COpenSSL", "NetworkThread", .product(name: "FlyingSocks", package: "FlyingFox")],
            resources: [.embedInCode("TLS/Certificates")]
        ),

        .systemLibrary(
            name: "COpenSSL", path: "Plugins/SystemLibraries/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CVLC", path: "Plugins/SystemLibraries/CVLC", pkgConfig: "libvlc",
            providers: [.apt(["libvlc-dev", "vlc-plugin-base"])]
        ),
        .systemLibrary(
            name: "CGStreamer", path: "Plugins/SystemLibraries/CGStreamer", pkgConfig: "gstreamer-app-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]
        ),
        .target(
            name: "CGStreamerSource",
            dependencies: [.target(name: "CGStreamer", condition: .when(traits: ["GStreamer"]))],
            path: "Plugins/SystemLibraries/CGStreamerSource"
        ),
        .systemLibrary(name: "CMalloc", path: "Plugins/SystemLibraries/CMalloc"),
        // These libraries are loaded with the first call.
        .target(name: "CCurl", path: "Plugins/SystemLibraries/CCurl"),
        .target(name: "CPulse", path: "Plugins/SystemLibraries/CPulse"),
        .target(name: "CSystemd", path: "Plugins/SystemLibraries/CSystemd"),
        .target(
            name: "NetworkThread", dependencies: [.product(name: "FlyingSocks", package: "FlyingFox")]
        ),
        .target(
            name: "MediaTransport",
            dependencies: [
                "CCurl", "CMalloc", "NetworkThread", "Playback",
                // Not FlyingFox: its FoundationNetworking would load libcurl and 30 libraries into each process.
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Plugins/MediaTransport"
        ),
        .target(
            name: "AudioMixer",
            dependencies: [
                "Playback", .target(name: "CPulse", condition: .when(traits: ["VLC", "GStreamer"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["VLC", "GStreamer"])),
            ],
            path: "Plugins/AudioMixer"
        ),
        .target(
            name: "VLCBackend",
            dependencies: [
                "AudioMixer", "MediaTransport", "Playback",
                .target(name: "CVLC", condition: .when(traits: ["VLC"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["VLC"])),
            ],
            path: "Plugins/VLCBackend"
        ),
        .target(
            name: "GStreamerBackend",
            dependencies: [
                "AudioMixer", "MediaTransport", "Playback",
                .target(name: "CGStreamer", condition: .when(traits: ["GStreamer"])),
                .target(name: "CGStreamerSource", condition: .when(traits: ["GStreamer"])),
            ],
            path: "Plugins/GStreamerBackend"
        ),
        .target(name: "CIsolation", path: "Plugins/SystemLibraries/CIsolation"),
        .target(
            name: "FlowplayerIsolation", dependencies: ["CIsolation", "MediaTransport", "Playback"],
            path: "Plugins/FlowplayerIsolation"),
        .executableTarget(
            name: "flowplayer-engine",
            dependencies: [
                "FlowplayerIsolation", "Playback", .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
                .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
            ],
            path: "Plugins/EngineProgram"
        ),
        .target(name: "Images", dependencies: ["Playback"], path: "Plugins/Images"),
        .target(
            name: "FlowplayerThumbnails", dependencies: ["FlowplayerSDK", "Images", "MediaTransport", "Playback"],
            path: "Plugins/FlowplayerThumbnails"),
        .target(name: "TerminalLifecycle", dependencies: ["Playback"], path: "Plugins/TerminalLifecycle"),
        .target(name: "FlowplayerTerminal", dependencies: ["Playback"], path: "Plugins/FlowplayerTerminal"),
        .target(name: "EventLog", dependencies: ["FlowplayerSDK", "Playback"], path: "Plugins/EventLog"),
        .target(name: "ResumePositions", dependencies: ["FlowplayerSDK", "Playback"], path: "Plugins/ResumePositions"),
        .target(
            name: "Advertising", dependencies: ["FlowplayerSDK", "MediaTransport", "Playback"],
            path: "Plugins/Advertising"),
        .target(name: "PlayerControls", dependencies: ["FlowplayerSDK", "Playback"], path: "Plugins/PlayerControls"),
        .target(name: "Playlists", dependencies: ["MediaTransport", "Playback"], path: "Plugins/Playlists"),
        .target(
            name: "PlaybackMetrics",
            dependencies: ["FlowplayerSDK", "Playback", .product(name: "Metrics", package: "swift-metrics")],
            path: "Plugins/PlaybackMetrics"
        ),

        .target(name: "DBus", dependencies: ["CSystemd"], path: "Plugins/DBus"),
        .target(
            name: "LogindLifecycle",
            dependencies: ["DBus", "Playback", .product(name: "Logging", package: "swift-log")],
            path: "Plugins/LogindLifecycle"
        ),
        .target(
            name: "NowPlaying",
            dependencies: ["DBus", "Playback", .product(name: "Logging", package: "swift-log")],
            path: "Plugins/NowPlaying"
        ),

        .systemLibrary(
            name: "CGTK", path: "Plugins/SystemLibraries/CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]
        ),
        .target(
            name: "FlowplayerGTK",
            dependencies: [
                "FlowplayerSDK", "Images", "MediaTransport", "Playback", "PlayerControls", "Playlists",
                "FlowplayerThumbnails",
                .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ],
            path: "Plugins/FlowplayerGTK"
        ),

        .executableTarget(
            name: "flowplay",
            dependencies: [
                "Advertising", "EventLog", "FlowplayerSDK", "FlowplayerTesting", "Images", "NowPlaying", "Playback",
                "PlayerControls", "Playlists", "ResumePositions", "TerminalLifecycle", "FlowplayerTerminal",
                .target(name: "FlowplayerGTK", condition: .when(traits: ["GTK"])),
                .target(name: "FlowplayerIsolation", condition: .when(traits: ["VLC", "GStreamer"])),
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
                .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Samples/flowplay", exclude: ["flowplay.desktop"]
        ),
        .executableTarget(
            name: "faulty-server",
            dependencies: ["FlowplayerFaults", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Samples/FaultyServer"
        ),

        .executableTarget(name: "embedded-player", dependencies: ["FlowplayerSDK"], path: "Samples/EmbeddedPlayer"),
        .executableTarget(
            name: "thumbnails",
            dependencies: [
                "FlowplayerSDK", "FlowplayerThumbnails",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Samples/Thumbnails"
        ),
        .executableTarget(name: "event-logger", dependencies: ["FlowplayerSDK"], path: "Samples/EventLogger"),
        .executableTarget(name: "notifications", dependencies: ["FlowplayerSDK"], path: "Samples/Notifications"),
        .executableTarget(name: "multi-player", dependencies: ["FlowplayerSDK"], path: "Samples/MultiPlayer"),
        .executableTarget(name: "music-queue", dependencies: ["FlowplayerSDK"], path: "Samples/MusicQueue"),
        .executableTarget(
            name: "now-playing", dependencies: ["FlowplayerSDK", "NowPlaying", "TerminalLifecycle"],
            path: "Samples/NowPlaying"
        ),
        .executableTarget(
            name: "background", dependencies: ["FlowplayerSDK", "TerminalLifecycle"], path: "Samples/Background"),
        .executableTarget(
            name: "kiosk", dependencies: ["FlowplayerGTK", "FlowplayerSDK", "Playlists"], path: "Samples/Kiosk",
            exclude: ["kiosk.service"]),
        .executableTarget(
            name: "gtk-player", dependencies: ["FlowplayerGTK", "FlowplayerSDK"], path: "Samples/GTKPlayer"),
        .executableTarget(
            name: "ads",
            dependencies: ["Advertising", "FlowplayerSDK", .product(name: "FlyingFox", package: "FlyingFox")],
            path: "Samples/Ads"
        ),
        .executableTarget(
            name: "ovp",
            dependencies: ["FlowplayerSDK", .product(name: "FlyingFox", package: "FlyingFox")],
            path: "Samples/OVP"
        ),

        .target(
            name: "TestSupport",
            dependencies: ["DBus", "Playback", .product(name: "FlyingFox", package: "FlyingFox")],
            path: "Tests/TestSupport"
        ),
        .executableTarget(
            name: "endurance", dependencies: ["FlowplayerSDK", "FlowplayerTesting", "TestSupport"],
            path: "Tests/Endurance"),
        .executableTarget(
            name: "soak",
            dependencies: [
                "Advertising", "FlowplayerFaults", "FlowplayerIsolation", "FlowplayerSDK", "FlowplayerTesting",
                "Playback",
                "TestSupport",
                "flowplayer-engine",
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Soak"
        ),
        .executableTarget(
            name: "media-fuzz",
            dependencies: [
                "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "Playback", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/MediaFuzz"
        ),
        .testTarget(name: "PlaybackTests", dependencies: ["Playback", "FlowplayerTesting", "TestSupport"]),
        .testTarget(
            name: "TerminalLifecycleTests",
            dependencies: ["FlowplayerTesting", "Playback", "TerminalLifecycle", "TestSupport"]
        ),
        .testTarget(name: "FlowplayerTerminalTests", dependencies: ["Playback", "FlowplayerTerminal", "TestSupport"]),
        .testTarget(
            name: "MediaTransportTests",
            dependencies: [
                "FlowplayerFaults", "MediaTransport", "Playback", "TestSupport",
                "CCurl",
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .testTarget(
            name: "AudioMixerTests",
            dependencies: [
                "AudioMixer", "Playback", "TestSupport",
                .target(name: "CPulse", condition: .when(traits: ["VLC", "GStreamer"])),
            ]
        ),
        .testTarget(
            name: "FlowplayerSDKTests",
            dependencies: [
                "FlowplayerSDK", "FlowplayerTesting", "TestSupport",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            exclude: ["Golden"]
        ),
        // A host in Swift 5 mode has to compile without a warning.
        .target(
            name: "Swift5Host", dependencies: ["FlowplayerSDK", "NowPlaying"], path: "Tests/Swift5Host",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "sandbox-probe",
            dependencies: [
                "FlowplayerIsolation", "MediaTransport", "Playback",
                .target(name: "CVLC", condition: .when(traits: ["VLC"])),
            ],
            path: "Tests/SandboxProbe"),
        .executableTarget(name: "host-program", dependencies: ["FlowplayerSDK"], path: "Tests/HostProgram"),
        .testTarget(
            name: "HostTests",
            dependencies: [
                "host-program",
                "Advertising", "EventLog", "FlowplayerFaults", "FlowplayerIsolation", "FlowplayerSDK",
                "FlowplayerTesting",
                "Swift5Host", "TestSupport",
                "flowplayer-engine", .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "FlowplayerTestingTests", dependencies: ["FlowplayerTesting", "Playback"], exclude: ["Golden"]
        ),
        .testTarget(
            name: "FlowplayerFaultsTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerTesting", "TestSupport",
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
        .testTarget(
            name: "FaultMatrixTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerIsolation", "FlowplayerSDK", "FlowplayerTesting", "TestSupport",
                "flowplayer-engine",
            ]
        ),
        .testTarget(name: "EventLogTests", dependencies: ["EventLog", "FlowplayerTesting", "TestSupport"]),
        .testTarget(
            name: "ResumePositionsTests",
            dependencies: ["FlowplayerSDK", "FlowplayerTesting", "Playback", "ResumePositions", "TestSupport"]),
        .testTarget(
            name: "AdvertisingTests",
            dependencies: [
                "Advertising", "EventLog", "FlowplayerFaults", "FlowplayerIsolation", "FlowplayerSDK",
                "FlowplayerTesting",
                "MediaTransport",
                "Playback",
                "TestSupport", "flowplayer-engine", .product(name: "FlyingFox", package: "FlyingFox"),
                .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
            ]
        ),
        .testTarget(
            name: "PlayerControlsTests",
            dependencies: ["FlowplayerSDK", "FlowplayerTesting", "Playback", "PlayerControls"]
        ),
        .testTarget(
            name: "PlaylistsTests",
            dependencies: ["Playback", "Playlists", "TestSupport", .product(name: "FlyingFox", package: "FlyingFox")]
        ),
        .testTarget(
            name: "PlaybackMetricsTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "PlaybackMetrics", "TestSupport",
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "FlowplayerIsolationTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerTesting", "FlowplayerIsolation", "Playback", "TestSupport",
                "flowplayer-engine", "sandbox-probe",
                .target(name: "GStreamerBackend", condition: .when(traits: ["GStreamer"])),
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
            ]
        ),
        .testTarget(
            name: "FlowplayerThumbnailsTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "Images", "Playback", "TestSupport",
                "FlowplayerThumbnails",
            ]
        ),
        .testTarget(
            name: "VLCBackendTests",
            dependencies: [
                "AudioMixer", "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "FlowplayerIsolation",
                "MediaTransport",
                "TestSupport", "VLCBackend", .target(name: "CPulse", condition: .when(traits: ["VLC"])),
                .target(name: "CCurl", condition: .when(traits: ["VLC"])), "endurance", "flowplayer-engine",
                "media-fuzz", "soak",
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .target(
            name: "TestDecoder",
            dependencies: [.target(name: "CGStreamer", condition: .when(traits: ["GStreamer"]))],
            path: "Tests/TestDecoder"
        ),
        .testTarget(
            name: "GStreamerBackendTests",
            dependencies: [
                "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "GStreamerBackend", "MediaTransport",
                "Playback", "TestDecoder", "TestSupport", "flowplay", "media-fuzz", "soak",
                .target(name: "CGStreamer", condition: .when(traits: ["GStreamer"])),
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
            ]
        ),
        .testTarget(
            name: "LogindLifecycleTests",
            dependencies: ["DBus", "FlowplayerSDK", "FlowplayerTesting", "LogindLifecycle", "TestSupport"]
        ),
        .testTarget(
            name: "NowPlayingTests",
            dependencies: [
                "DBus", "FlowplayerTesting", "NowPlaying", "Playback", "TestSupport",
                .target(name: "VLCBackend", condition: .when(traits: ["VLC"])),
            ]
        ),
        .executableTarget(
            name: "gtk-program",
            dependencies: [
                "FlowplayerGTK", "FlowplayerSDK", .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ],
            path: "Tests/GTKProgram"),
        .testTarget(
            name: "GTKTests",
            dependencies: [
                "FlowplayerFaults", "TestSupport", "flowplay", "gtk-player", "gtk-program", "kiosk",
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .executableTarget(name: "first-player", dependencies: ["FlowplayerSDK"], path: "Tests/FirstPlayer"),
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "Advertising", "FlowplayerFaults", "FlowplayerSDK", "FlowplayerTesting", "FlowplayerIsolation",
                "NowPlaying", "PlaybackMetrics", "PlayerControls", "Playlists", "ResumePositions", "TestSupport",
                "FlowplayerTerminal",
                "FlowplayerGTK", "FlowplayerThumbnails", "first-player",
                .target(name: "LogindLifecycle", condition: .when(traits: ["Systemd"])),
            ]
        ),
        .testTarget(
            name: "FlowplayTests",
            dependencies: [
                "EventLog", "FlowplayerFaults", "FlowplayerTesting", "Playback", "PlayerControls", "FlowplayerTerminal",
                "TestSupport",
                "faulty-server", "flowplay",
                "flowplayer-engine", .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
