// A source of GStreamer that reads from the HLS proxy.
//
// GStreamer's own source for HTTP uses libsoup. libsoup 3.2 crashes if a request is cancelled directly after the head of its response
// has arrived, as with a seek or at the end of a pipeline.
#pragma once

/// The scheme of the source's addresses, which are otherwise those of HTTP: `flowplayer://127.0.0.1:8000/path`.
#define GSTREAMER_SOURCE_SCHEME "flowplayer"

/// Registers the source with GStreamer, which must have been started.
void gstreamer_source_register(void);
